"""Nouns without a plural, and those that cannot stand behind *a*."""

from __future__ import annotations

MASS_NOUNS = frozenset(
    "advice anger clothing crowning effectiveness equipment evidence firmness furniture harm health help information "
    "joining knowledge luck luggage machinery money music news rebuilding research software traffic usefulness "
    "weather".split()
)
# "A good knowledge of" and "a help" are said, "a firmness" too.
UNCOUNTABLE = frozenset(
    "advice clothing equipment evidence extra furniture health information luck luggage machinery money music news "
    "pay proof research respect software traffic violence weather".split()
)
