"""Builds documents for every format: sources as bytes and text, safe XML parsing, the builder, bodies and enumerations.

Not here: the single formats (`akn`, `parsing`).
"""
