"""Watch a tree, a forest and a linear model of River's: ``panel serve apps/river_models.py``."""

import panel as pn

from streamlab.views.page.pages import make_page

pn.extension(reconnect=True)

if pn.state.served:
    make_page("river_models").served().servable()
