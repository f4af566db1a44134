"""Rules about what lies between a file system and the drive: queues, arrays, volumes."""
