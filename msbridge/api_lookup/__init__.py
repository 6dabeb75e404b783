"""`msbridge api`: a name of MindSpore or torch, what it means in each release, and what the other side calls it.

what a user typed ──► paths.py: full paths ──► entry.py: an Entry of each ──► text.py: lines for a terminal
"""
