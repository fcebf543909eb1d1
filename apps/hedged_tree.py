"""Watch the trees of MLHAT and HedgedMLHAT grow side by side: ``panel serve apps/hedged_tree.py``."""

import panel as pn

from streamlab.views.page.pages import make_page

pn.extension(reconnect=True)

if pn.state.served:
    make_page("hedged_tree").served().servable()
