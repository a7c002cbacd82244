"""What every format builds a document with: the source as bytes and text, XML within its limits, the builder, bodies and enumerations.

Not here: any single format (`akn`, `parsing`).
"""
