"""What is asked of data from outside before anything is made of it: sizes, depth, ranges, text.

Pure. Agents, servers, case files, stores and imports all come in through these checks. A check
raises Malformed; whoever reads knows whose data it is and makes a typed fault of it.
"""
