"""What changed between two specs of a project, for people with handlers."""
