"""Start the server: `blog-search`, or `python -m blog_search`."""

from blog_search._generated.command import main

if __name__ == "__main__":
    main()
