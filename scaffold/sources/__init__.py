"""Read what people have, such as the tool list of a server, and write a spec of it."""
