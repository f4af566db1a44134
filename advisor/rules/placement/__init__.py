"""What lies on which drive, by how much one disturbs the other."""
