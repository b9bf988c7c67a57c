"""Publish a project: check what registries would refuse, mend it, and write the bundle."""
