"""The command-line interface: the only modules that parse arguments or print."""
