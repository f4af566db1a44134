"""Rules on the hash index over hot pages."""
