"""Rules on changes of secondary indexes that wait until their pages are read."""
