"""Tuning of log-linear weights against a metric.

- `run`: starting and resuming runs; `settings` and `presets` configure them, `folder` stores them.
- `loop`, `iterations`, `stopping`: decode, merge the n-best lists, fit, interpolate, until nothing is new.
- `tuners`: PRO, batch MIRA and MERT, which fit weights to candidates.
- `pool`, `objective`, `weights`: the candidates of all iterations, their gains, and the space of weights.
- `shards`, `workers`: decoding the tuning set in parallel.
"""

if __name__ != "sbmt.tuning":  # imported from the checkout's root: a second copy of every class would exist
    raise ImportError("import sbmt.tuning, not tuning")
