"""What variants of a lab are worth, by their turns: ratios that may be looked at after any round.

Turns of seconds on throwaway servers, in random order within rounds, servers started anew between
starts. Pure: turns in, values out.
"""
