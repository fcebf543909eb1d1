from .on_spark import learn_by_key as learn_by_key
from .on_spark import learned_by_key as learned_by_key
from .one_key import KeyLearner as KeyLearner
