"""JSON Schema: one index of a schema, and what is checked and read with it."""
