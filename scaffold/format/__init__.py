"""The spec: its format, its rules and its lint warnings."""
