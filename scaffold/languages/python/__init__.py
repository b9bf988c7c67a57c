"""Python code generation: names, types, formatting, and edits of user code."""
