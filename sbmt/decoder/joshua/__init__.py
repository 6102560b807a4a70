"""Joshua's configurations: read, loaded as a decoder, and run on lines as Joshua reads and writes them."""

from sbmt.decoder.joshua.load import Joshua, load_joshua

__all__ = ["Joshua", "load_joshua"]
