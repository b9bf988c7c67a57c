"""The disk: what to do about the files that we want, and doing it."""
