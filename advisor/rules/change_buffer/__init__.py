"""Rules on changes of secondary indexes that wait for their pages."""
