"""Follow renames in Python code: change each name that certainly means what was renamed."""
