CREATE TABLE products (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    price REAL NOT NULL
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    product INTEGER NOT NULL REFERENCES products,
    day TEXT NOT NULL,
    pieces INTEGER NOT NULL
);
INSERT INTO products (name, price) VALUES
    ('teapot', 24.9),
    ('cup', 6.5),
    ('spoon', 2);
INSERT INTO orders (product, day, pieces) VALUES
    (1, '2026-03-02', 1),
    (2, '2026-03-02', 4),
    (2, '2026-03-05', 2),
    (3, '2026-03-09', 6);
