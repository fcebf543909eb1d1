"""Make a stream whose drift is known and see who detects it: ``panel serve apps/drift_lab.py``."""

import panel as pn

from streamlab.views.page.pages import make_page

pn.extension(reconnect=True)

if pn.state.served:
    make_page("drift_lab").served().servable()
