"""Try what a client's configuration says about a server, in the way the client will start it."""
