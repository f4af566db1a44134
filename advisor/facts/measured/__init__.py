"""Facts that were measured on the drive."""
