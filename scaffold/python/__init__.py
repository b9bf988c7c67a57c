"""Python: its names, types and formatting, and edits of code that people wrote in it."""
