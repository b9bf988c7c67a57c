"""The project: what the templates see, each name, type and import decided."""
