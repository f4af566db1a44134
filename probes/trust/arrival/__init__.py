"""What can be doubted in one point as soon as it arrives; one check a file."""
