"""Reports on systems: everything computed first (`build`), then written as one HTML file (`page`)."""

from sbmt.evaluation.report.build import Report, Settings, build
from sbmt.evaluation.report.page import render
from sbmt.evaluation.report.system import System

__all__ = ["Report", "Settings", "System", "build", "render"]
