"""ECMA-262 patterns, read into syntax trees."""
