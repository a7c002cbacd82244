"""Consolidated statutes of civil-law countries in the "legalize" markdown: YAML front matter, headings, articles.

The vocabulary of a country is the section `legalize` of its data. Not here: markdown of publishers with rules of their own.
"""
