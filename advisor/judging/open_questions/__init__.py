"""What is still open, what it turns on, and what it takes to close it."""
