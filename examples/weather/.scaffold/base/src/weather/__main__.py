"""Start the server: `weather`, or `python -m weather`."""

from weather._generated.command import main

if __name__ == "__main__":
    main()
