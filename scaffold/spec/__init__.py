"""The spec: from the bytes that a user wrote to a checked value."""
