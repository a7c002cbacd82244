"""What is known of each country's law, as data: one folder per country code, and the loader.

Not here: what is known of a language (`languages`), and how citations are found whatever the country (`citations`).
"""
