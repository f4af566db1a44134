"""What moving a server to another version changes."""
