"""Run the server of a project while people work on it."""
