"""Many runs: learners times streams times seeds as cells that resume, on one machine or many."""

from streamlab.study.shards import learn_in_shards
from streamlab.study.study import Study

__all__ = ["Study", "learn_in_shards"]
