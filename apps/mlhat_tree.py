"""Watch MLHAT's tree grow, alone and large: ``panel serve apps/mlhat_tree.py``."""

import panel as pn

from streamlab.views.page.tree_show import TreeShow

pn.extension(reconnect=True)

if pn.state.served:
    TreeShow().served().servable()
