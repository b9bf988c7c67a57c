"""Team packs: fetch, configure, show, copy and upgrade packs from outside the project."""
