"""Summaries: values that a network hands to whoever records them, a SummaryRecord for example."""
