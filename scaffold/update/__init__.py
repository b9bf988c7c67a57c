"""The update of a project: its previous spec, what changed since, and what was renamed."""
