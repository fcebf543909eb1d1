"""Watch class-balanced nearest neighbours at work: ``panel serve apps/balanced_neighbours.py``."""

import panel as pn

from streamlab.views.page.balanced_show import BalancedShow

pn.extension(reconnect=True)

if pn.state.served:
    BalancedShow().served().servable()
