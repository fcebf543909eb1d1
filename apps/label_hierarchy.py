"""See the hierarchy of labels, large: ``panel serve apps/label_hierarchy.py``."""

import panel as pn

from streamlab.views.page.pages import make_page

pn.extension(reconnect=True)

if pn.state.served:
    make_page("label_hierarchy").served().servable()
