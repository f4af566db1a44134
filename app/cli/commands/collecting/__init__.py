"""Commands for servers that nobody here logs in to: collected by their own people, and many."""
