"""Measured points as pictures: curves, latency maps, one point over time, and their export."""
