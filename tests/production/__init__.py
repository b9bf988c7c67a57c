"""Servers as they run in production: several replicas, what they share, and a proxy before them."""
