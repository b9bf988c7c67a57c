"""The languages of generated code."""
