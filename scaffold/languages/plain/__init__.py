"""Support for packs in any other language."""
