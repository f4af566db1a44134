"""What Leadline is held against; `make bench` lists the subjects."""
