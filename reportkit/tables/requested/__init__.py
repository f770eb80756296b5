"""The kinds of tables that are made only on request, a module each."""
