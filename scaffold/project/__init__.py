"""The project: the data that templates render, with all names and types resolved."""
