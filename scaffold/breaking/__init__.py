"""What an edit of a spec breaks for callers: rules, and proofs by example."""
