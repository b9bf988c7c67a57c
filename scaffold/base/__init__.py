"""Shared foundations of all other packages: diagnostics, files, texts, versions."""
