"""What the Advice page shows."""
