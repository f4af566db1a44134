"""What each version of each server knows of its variables."""
