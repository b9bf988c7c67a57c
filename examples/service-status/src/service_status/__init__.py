# Copyright Acme Ltd. All rights reserved.
"""Whether the services of Acme are up, for assistants that are asked."""
