"""Connect to servers of others, within limits of size and time."""
