"""What variants of a lab are worth, by their turns: ratios that may be looked at after any round.

Turns of seconds on throwaway servers, in random order within rounds; servers are started again
between starts. ``turns`` says what is compared, ``scatter`` how far equal servers lie apart,
``interval`` what that excludes, ``contrasts`` what is decided by it, ``best`` where the best of
ordered values lies, ``ending`` what a lab will see and when it ends. Pure: turns in, values out.

How to measure was tried by simulation, in eight worlds whose rounds scatter by 1.5 to 9 % and
starts by 0.5 to 6 %, normal, with heavy tails, bursts, drift or servers that wander; base, twin and
two variants, 150 labs each, a look after every round. A true 5 % was found, with 32 turns of each
server, and intervals that hold at every look in 98 to 99 of 100 labs, in

- 62 % with 16 starts of one round, 53 % with 8 of two, 38 % with 4 of four, 22 % with 2 of eight:
  rounds don't tell what a start did. ``best_rounds_per_start`` weighs that with what a start takes.
- 53 % with 8 starts of two rounds of two turns, 52 % of four rounds of one turn, 46 % of one round
  of four: rounds of their own tell the noise, turns within one don't.
- 53 % with turns there and back (A B B A), 50 % in random order each time; 71 and 63 % where the
  machine drifts.
- 46 % with the mean of four turns, 44 % with their median, which is better only where tails are
  heavy (61 to 48 %), and does not see stalls.

Recorded turns of equal servers on a busy, shared machine (read-write, 8 clients) scatter by 16 %
in half a second, 12 % in one, 11 % in two and 8 % in four, what neighbours share left out. With
0.5 s to settle before each, no length among these takes a third more time than another for the
same certainty. Drawing far rounds in (``scatter.DRAWN_IN``) makes ratios of these turns a fifth
surer. The prior of noise and ``interval.EXCLUDED_AT`` were set with three recordings in view; in
labs of a fourth, of 14 starts of four servers, 98 of 100 intervals hold at every look, and equal
twins are called different in 3. benchmarks/lab/truth.py tries other worlds than those above:
benchmarks/LAB_TRUTH.md.
"""
