"""How files get to where others read them: each folder in one step, each file in one step, whoever
writes them: a build, a notebook of its own, an import. What dies on the way harms nothing.
"""
