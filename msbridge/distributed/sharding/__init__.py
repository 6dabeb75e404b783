"""One network over several processes: tensors divided by strategies, on torch's DTensor.

Nothing of it is imported, and nothing is asked in a call, before an automatic parallel mode runs in several processes.
"""
