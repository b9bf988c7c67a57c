"""Publish a project: check what registries would refuse, fix it, and write the bundle."""
