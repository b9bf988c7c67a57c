"""The handlers of the prompts, one module each."""
