"""Code shared by commands: entry points, parsers and options, and reading of inputs."""
