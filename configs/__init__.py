"""Annotated configurations that come with the package: `default.yaml` for bundles, `tune-*.yaml` for tuning."""

if __name__ != "sbmt.configs":  # imported from the checkout's root: a second copy would exist
    raise ImportError("import sbmt.configs, not configs")
