"""What the What-if page shows."""
