"""Watch class-balanced nearest neighbours at work: ``panel serve apps/balanced_neighbours.py``."""

import panel as pn

from streamlab.views.page.pages import make_page

pn.extension(reconnect=True)

if pn.state.served:
    make_page("balanced_neighbours").served().servable()
