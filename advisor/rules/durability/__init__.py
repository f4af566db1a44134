"""Rules on what survives a power cut, and its price on this drive."""
