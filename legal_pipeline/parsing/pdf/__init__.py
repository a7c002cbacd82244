"""PDF: what is printed where, put back into reading order and handed to the parser that knows the text.

`parse` lives in `pdf.document`. Not here: what the text means (the other packages of `parsing`).
"""
