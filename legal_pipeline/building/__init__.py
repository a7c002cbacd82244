"""Builds documents for every format: the source as bytes and text, XML within its limits, the builder, bodies and enumerations.

Not here: any single format (`akn`, `parsing`).
"""
