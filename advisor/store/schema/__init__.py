"""The database's shape: opening it, bringing an older one up to date, reading a foreign one."""
