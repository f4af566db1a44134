"""From the raw answers of a watch to what was seen."""
