"""A machine behind SSH: OpenSSH's settings, the login, the connection and what goes over it."""
