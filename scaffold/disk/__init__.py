"""The project on disk: plan changes to its files, apply them, record them."""
