"""A server from an archive that its own people collected: the script for it, and its reading."""
