"""Start the server: `calculator`, or `python -m calculator`."""

from calculator._generated.command import main

if __name__ == "__main__":
    main()
