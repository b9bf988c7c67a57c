"""Search over the posts of a blog, by words or by meaning."""
