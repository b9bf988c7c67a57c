"""What the commands do, as code: load, generate, plan, apply."""
