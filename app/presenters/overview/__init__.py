"""What the Overview shows."""
