"""A private throwaway MySQL server, for measuring what no server in use should be asked."""
