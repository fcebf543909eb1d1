"""What ensembles of multi-label learners share: members of several kinds, compiled, and the list of who they are."""
