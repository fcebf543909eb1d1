"""Many runs: the study of the docs, its cost, its kills, and learners of shards."""
