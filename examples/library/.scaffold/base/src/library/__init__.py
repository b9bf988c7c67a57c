"""The catalog and the loans of a public library."""
