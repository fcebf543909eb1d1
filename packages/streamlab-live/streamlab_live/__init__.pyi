from .join import KeyedStream as KeyedStream
