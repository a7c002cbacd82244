"""Consolidated statutes of civil-law countries in the "legalize" markdown: YAML front matter, headings, articles.

A country is one vocabulary file in `vocabulary/`. Not here: Sweden's and the United States' markdown, which have rules of their own.
"""
