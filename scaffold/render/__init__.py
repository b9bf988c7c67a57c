"""Rendering: a project and a pack into the files that we want on disk."""
