"""What people send of servers that nobody here can reach becomes runs."""
