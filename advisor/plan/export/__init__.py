"""A plan in the forms in which people apply it, each with the way back."""
