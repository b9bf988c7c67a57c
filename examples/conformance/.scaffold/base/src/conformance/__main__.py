"""Start the server: `conformance`, or `python -m conformance`."""

from conformance._generated.command import main

if __name__ == "__main__":
    main()
