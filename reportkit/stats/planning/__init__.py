"""Planning: questions, clusters and answers needed, and what a design can detect."""
