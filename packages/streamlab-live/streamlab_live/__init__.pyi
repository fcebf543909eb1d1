from .decoding import Decoding as Decoding
from .join import KeyedStream as KeyedStream
from .journal import Journal as Journal
from .source import Message as Message
from .source import Source as Source
from .stream import JournalStream as JournalStream
from .stream import LiveStream as LiveStream
