"""What the server may take of the memory."""
