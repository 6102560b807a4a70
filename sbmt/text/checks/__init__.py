"""Checks of input files: how their lines are written, likely mistakes, repeated sources."""
