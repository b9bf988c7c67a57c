"""A language that we know nothing about."""
