"""Joshua's configurations: reading them, loading them as a decoder, and decoding lines in Joshua's formats."""

from sbmt.decoder.joshua.load import Joshua, load_joshua

__all__ = ["Joshua", "load_joshua"]
