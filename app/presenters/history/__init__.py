"""What the page of a server over time shows."""
