"""The Kotlin SDK's sample server, and one of each kind that a spec may hold."""
