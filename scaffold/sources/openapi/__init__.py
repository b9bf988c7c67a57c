"""Read OpenAPI documents: each operation becomes a tool whose handler calls the API."""
