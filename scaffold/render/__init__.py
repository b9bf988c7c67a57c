"""Render the templates of a pack."""
