"""Texts of a server that people send, read into facts.

Each reader takes the lines of a text and gives pieces; ``collection`` makes of them the raw answers
that an inventory is read from.
"""
