"""Formats without a jurisdiction: markdown and plain text. Not here: any form that a publisher defines."""
