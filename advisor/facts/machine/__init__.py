"""Facts of the machine under the server: its kernel, its memory, what it is lent."""
