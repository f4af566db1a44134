"""What holds of every server's figures, and the words that an inventory can say.

A whole server that a test judges is one that could stand somewhere: its counters agree with each
other, the queries at work are where their waits add up to, and its machine is called as the
inventory calls machines. What can't be is refused, before anything is judged.
"""

from tests.rules.coherence.whole import Incoherent, coherent, contradictions

__all__ = ["Incoherent", "coherent", "contradictions"]
