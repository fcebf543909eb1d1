"""Replay a multi-label stream and watch learners learn it: ``panel serve apps/stream_monitor.py``."""

import panel as pn

from streamlab.views.page.pages import make_page

pn.extension(reconnect=True)

if pn.state.served:
    make_page("stream_monitor").served().servable()
