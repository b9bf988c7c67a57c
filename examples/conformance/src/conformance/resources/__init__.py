"""The handlers of the resources, one module each."""
