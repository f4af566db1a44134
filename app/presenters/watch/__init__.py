"""What the Watch page shows."""
