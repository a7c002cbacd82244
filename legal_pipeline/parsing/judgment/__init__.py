"""The structure of judgments of any jurisdiction: parts named as in Akoma Ntoso, and numbered paragraphs.

Not here: reading the files of a court (the formats of each jurisdiction).
"""
