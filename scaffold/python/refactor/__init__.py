"""Follow renames in Python code: change each name that is certain to mean a renamed thing."""
