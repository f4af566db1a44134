"""What the page of a trial shows."""
