"""Make a stream whose drift is known and watch who notices it: ``panel serve apps/drift_lab.py``."""

import panel as pn

from streamlab.views.page.drift_lab import DriftLab

pn.extension(reconnect=True)

if pn.state.served:
    DriftLab().served().servable()
