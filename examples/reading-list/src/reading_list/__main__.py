"""Start the server: `reading-list`, or `python -m reading_list`."""

from reading_list._generated.command import main

if __name__ == "__main__":
    main()
