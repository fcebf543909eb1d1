"""The page of a study: all its runs as a table, how learners rank, their curves; and each run in the monitor."""
