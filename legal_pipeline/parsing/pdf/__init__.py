"""PDF: restores the reading order of the printed text and passes it to the parser for that text.

The entry is `parse` in `pdf.document`. Not here: the meaning of the text (the other packages of `parsing`).
"""
