"""Tests of what is imported."""
