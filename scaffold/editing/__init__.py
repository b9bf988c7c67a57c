"""Edits of text that keep every other byte."""
