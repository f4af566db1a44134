"""What is said of a server's own work, as it was watched."""
