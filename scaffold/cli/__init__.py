"""The edge: the only modules that print, and the only ones that know of a command line."""
