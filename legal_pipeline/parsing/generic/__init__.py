"""Formats of no country and no publisher: web pages, Markdown, plain text and laws as data; and what these and Word and PDF files share.

Not here: any form that a publisher defines. *The recogniser* (`parsing.recogniser`) finds the provisions of a law in text without mark-up.
"""
