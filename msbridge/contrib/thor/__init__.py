"""THOR, the second-order optimizer: the layers that gather what it needs, the conversion of networks, the optimizer."""
