"""sbmt: statistical machine translation from English to simpler English (Xu et al., TACL 2016)."""

from sbmt.version import __version__

__all__ = ["__version__"]
