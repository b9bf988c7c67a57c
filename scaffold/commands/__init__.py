"""The commands without their command line: load, generate, plan, apply."""
