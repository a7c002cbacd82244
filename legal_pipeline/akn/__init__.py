"""Reading and writing Akoma Ntoso: the reader of its XML and HTML, and the writer."""
