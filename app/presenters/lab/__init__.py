"""What the page of a lab shows."""
