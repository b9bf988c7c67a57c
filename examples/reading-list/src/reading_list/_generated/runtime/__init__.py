"""The part of a server that is the same in every project: it serves what the spec says."""
