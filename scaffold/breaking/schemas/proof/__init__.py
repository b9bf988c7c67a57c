"""A prover: what is known of a value makes it fit a schema. The rules are sound, not complete."""
