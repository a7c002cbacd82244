"""What a judgment is made of, in any jurisdiction: segments named as in Akoma Ntoso, and numbered paragraphs.

Not here: how a court's file is read (the formats of each jurisdiction).
"""
