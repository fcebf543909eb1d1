"""A drag of the time slider in Chromium: how soon the picture shows the instant under the hand.

A page plays a long stream to its end, flat out; then the slider is set to random positions, and each time the
milliseconds are counted until SMART's picture has drawn another state. The exact state follows when the hand rests:
``python -m benchmarks time_machine`` measures that.
"""

from __future__ import annotations

import argparse
import sys

from rich.console import Console
from rich.table import Table

from benchmarks._browser import chromium
from benchmarks._server import served
from benchmarks.time_machine import STREAMS

__all__ = ["main"]

TIMEOUT_MS = 120_000
DRAG = """async ([n, from, to, pause]) => {
    const find = (root, wanted) => {
        for (const node of root.querySelectorAll("*")) {
            const found = wanted(node) ?? (node.shadowRoot && find(node.shadowRoot, wanted));
            if (found) return found;
        }
    };
    const slider = find(document, node => node.matches("input[type=range][aria-label^=Position]") ? node : null);
    const stats = find(document, node => node.__fading_stats);
    const end = Number(slider.max), took = [];
    for (let i = 0; i < n; i++) {
        const before = JSON.stringify(stats()), begun = performance.now();
        slider.value = String(Math.round((from + (to - from) * Math.random()) * end));
        slider.dispatchEvent(new Event("input", {bubbles: true}));
        let drawn = false;
        for (let frame = 0; frame < 300 && !drawn; frame++) {
            await new Promise(requestAnimationFrame);
            drawn = JSON.stringify(stats()) !== before;
        }
        took.push(drawn ? performance.now() - begun : Infinity);
        await new Promise(done => setTimeout(done, pause));
    }
    return took;
}"""


def main(options: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser("python -m benchmarks drag", description=__doc__.partition("\n")[0])
    parser.add_argument("--streams", nargs="+", default=list(STREAMS), choices=STREAMS)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--drags", type=int, default=300)
    asked = parser.parse_args([] if options is None else options)
    table = Table("stream", "rows played", "drags", "drawn", "median, ms", "99 of 100, ms", title="drags in Chromium")
    with chromium() as browser:
        for name in asked.streams:
            with served("-m", "benchmarks._served_drag", "{port}", name, str(asked.rows)) as address:
                page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
                page.set_default_timeout(TIMEOUT_MS)
                page.goto(f"{address}/page")
                page.wait_for_selector(".sl-play:not([disabled])")
                page.get_by_label("Speed").select_option(label="flat out")
                page.click(".sl-play")
                page.wait_for_function("window.__streamlab_transport.stats().state === 'finished'")
                page.wait_for_timeout(1000)
                played = page.evaluate("window.__streamlab_transport.stats().position")
                took = sorted(page.evaluate(DRAG, [asked.drags, 0.02, 0.98, 60]))
                drawn = sum(each < float("inf") for each in took)
                median, late = took[len(took) // 2], took[int(0.99 * len(took)) - 1]
                cells = f"{played:,}", f"{len(took)}", f"{drawn}", f"{median:.0f}", f"{late:.0f}"
                table.add_row(name, *cells)
                page.context.close()
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
