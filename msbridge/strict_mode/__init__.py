"""Strict mode: what MindSpore 2.10 refuses on a CPU, and msbridge would compute, is refused."""
