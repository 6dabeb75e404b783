"""Graphs whose nodes and edges have types and features, and samples of them.

Follows: mindspore.dataset.GraphData, Graph, InMemoryGraphDataset (2.0; 2.10 has them no more).
"""
