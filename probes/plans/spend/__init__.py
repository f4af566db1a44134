"""What a plan takes of time, space and the drive's life, and which settings are worth it next."""
