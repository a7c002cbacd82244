"""Formats that are data: a profile says which element of a publisher's mark-up is which element of Akoma Ntoso.

`profile` loads and checks the TOML files, `elements` makes the tree, `documents` the document. Not here: what the elements of Akoma
Ntoso become (`akn.reader`), and sources that mark no structure (`parsing.generic`).
"""
