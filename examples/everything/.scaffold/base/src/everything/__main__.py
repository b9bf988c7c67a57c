"""Start the server: `everything`, or `python -m everything`."""

from everything._generated.command import main

if __name__ == "__main__":
    main()
