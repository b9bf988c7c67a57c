"""Start the server: `expenses`, or `python -m expenses`."""

from expenses._generated.command import main

if __name__ == "__main__":
    main()
