"""Parse YAML and JSON files into plain values with their places in the file."""
