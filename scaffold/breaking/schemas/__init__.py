"""Whether everything that one schema allows is allowed by another: a proof, an example, or neither."""
