"""Reports on systems: everything computed first (`build`), then written as one HTML file (`page`)."""
