"""Python types of JSON Schemas: models, aliases, names and defaults."""
