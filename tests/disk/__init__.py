"""What lies on disk, what shall lie there, and what a person did in between."""
