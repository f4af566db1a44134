"""Whether a measured point may feed advice: pure functions of points and their surroundings."""
