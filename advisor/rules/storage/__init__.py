"""Rules on the drive itself and how files on it are used."""
