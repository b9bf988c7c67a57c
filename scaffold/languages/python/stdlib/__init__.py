"""What the pack without libraries needs of Python: limits, patterns and dataclasses."""
