"""Rendering: turn a project and the layers of a pack into files."""
