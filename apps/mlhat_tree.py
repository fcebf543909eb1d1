"""Watch MLHAT's tree grow, large: ``panel serve apps/mlhat_tree.py``."""

import panel as pn

from streamlab.views.page.pages import make_page

pn.extension(reconnect=True)

if pn.state.served:
    make_page("mlhat_tree").served().servable()
