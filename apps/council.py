"""Watch a council of learners and whom it trusts: ``panel serve apps/council.py``."""

import panel as pn

from streamlab.views.page.pages import make_page

pn.extension(reconnect=True)

if pn.state.served:
    make_page("council").served().servable()
