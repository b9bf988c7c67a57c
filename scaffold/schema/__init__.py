"""JSON Schema: an index of each schema, and the checks and readers that use it."""
