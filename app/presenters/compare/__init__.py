"""What the Compare page shows, and a bench on its way there."""
