"""Facts of the server's own work, as it was watched."""
