"""Look at a study, its table, ranks and curves, and at each of its runs: ``panel serve apps/study.py --args FILE``."""

import sys

import panel as pn

from streamlab.study.page.page import make_study_page

pn.extension(reconnect=True)

if pn.state.served:
    # without a file it is a small demonstration
    make_study_page(*sys.argv[1:3]).served().servable()
