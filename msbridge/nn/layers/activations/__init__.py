"""Activation layers: smooth ones, rectifiers, softmax."""
