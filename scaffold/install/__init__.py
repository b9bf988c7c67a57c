"""Install a server into the clients of this machine, and remove it again."""
