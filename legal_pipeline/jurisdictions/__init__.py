"""The law of each country as data: one folder per country code, and the loader.

Not here: the data of a language (`languages`), and the finding of citations in general (`citations`).
"""
