"""90 laws and 24 judgments of our own writing, in the print of publishers of many countries, and what a lawyer finds in each.

Authors who had not seen the code wrote them, and the answers: `laws.json`, `judgments.json`. Names, numbers and texts are invented;
menus and notes around them are like those of the publishers. All were used to mend what they showed, so they say nothing about a print
that is new. `python -m legal_pipeline_tests.prints` compares.
"""
