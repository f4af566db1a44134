"""What measured curves and points say."""
