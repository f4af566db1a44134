"""Rules on how dirty pages reach the drive."""
