"""The pictures and tables of the docs: figures of the papers, of the ideas, of learners and of pages."""
