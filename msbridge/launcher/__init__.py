"""Starting scripts on msbridge: the environment of their process, and several processes of one job. Without torch."""
