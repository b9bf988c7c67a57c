# Copyright Acme Ltd. All rights reserved.
"""Start the server: `service-status`, or `python -m service_status`."""

from service_status._generated.command import main

if __name__ == "__main__":
    main()
