# Copyright Acme Ltd. All rights reserved.
"""The handlers of the tools, one module each."""
