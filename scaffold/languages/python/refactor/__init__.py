"""Follow renames in Python code, through imports from the package."""
