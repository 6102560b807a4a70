"""N-gram language models: querying (KenLM), estimating, mixing, writing.

For queries, read `model` first, then `load`, and `states` (with `endings`), which the decoder searches with. For
estimation, read `ngrams` (models as numpy columns) first, then `counts`, `kneser_ney` and `mixture`; `arpa`,
`kenlm_binary` and `sphinx` are file formats. `starter` builds the starter model with `penn`.
"""
