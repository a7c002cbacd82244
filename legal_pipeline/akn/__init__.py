"""Akoma Ntoso in and out: the reader of its XML and HTML, and the writer."""
