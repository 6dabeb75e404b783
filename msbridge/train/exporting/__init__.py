"""Networks as files for other programs: torch follows a network, and what it computes is written in another form."""
