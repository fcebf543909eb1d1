"""Watch answers walk down a tree of labels, alone and large: ``panel serve apps/label_hierarchy.py``."""

import panel as pn

from streamlab.views.page.hierarchy_show import HierarchyShow

pn.extension(reconnect=True)

if pn.state.served:
    HierarchyShow().served().servable()
