"""What shows only beside other points, or with what is known of the drive; one check a file."""
