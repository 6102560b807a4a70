"""Tuning of log-linear weights against a metric: objectives, samplers, rankers, the loop."""

if __name__ != "sbmt.tuning":  # imported from the checkout's root: a second copy of every class would exist
    raise ImportError("import sbmt.tuning, not tuning")
