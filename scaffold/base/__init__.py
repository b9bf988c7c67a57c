"""What all other packages build on: diagnostics, files, texts, versions."""
