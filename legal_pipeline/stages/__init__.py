"""What is done with a batch of documents, one module per stage, each from files of the warehouse to files of the warehouse.

Not here: the order of the stages (`pipeline`), who asks for them (`defs`, `cli`), and how a stage's work is done (the library).
"""
