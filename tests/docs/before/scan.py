import made

made.project()
