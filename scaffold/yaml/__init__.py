"""YAML and JSON files: text to a document of plain values, each with its place in the file."""
