"""Start the server: `library`, or `python -m library`."""

from library._generated.command import main

if __name__ == "__main__":
    main()
