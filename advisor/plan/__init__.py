"""From chosen recommendations to one plan of changes, and its exports."""
