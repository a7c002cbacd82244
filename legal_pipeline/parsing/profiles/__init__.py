"""Formats defined as data: a profile maps the elements of a publisher's markup to elements of Akoma Ntoso.

`profile` loads and checks the TOML files, `elements` builds the tree, `documents` the document. Not here: the nodes made from elements
of Akoma Ntoso (`akn.reader`), and sources without marked structure (`parsing.generic`).
"""
