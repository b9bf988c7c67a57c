"""Planted faults: small wrong changes to the program, each with the tests that must fail on it."""
