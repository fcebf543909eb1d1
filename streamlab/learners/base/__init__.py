"""The contract of a learner, and what learners share."""
