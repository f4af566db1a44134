"""What others measured and published: findings, tables, the limits of cloud machines."""
