"""Results of sysbench's tests."""
