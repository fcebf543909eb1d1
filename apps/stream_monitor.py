"""Replay a multi-label stream and watch learners learn it: ``panel serve apps/stream_monitor.py``."""

import panel as pn

from streamlab.views.page.monitor import Monitor

pn.extension(reconnect=True)

if pn.state.served:
    Monitor().served().servable()
