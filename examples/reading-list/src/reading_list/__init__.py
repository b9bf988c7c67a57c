"""Books that are worth reading, and how long that takes."""
