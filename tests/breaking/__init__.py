"""What an edit of a spec breaks: the table of pairs, and the command."""
