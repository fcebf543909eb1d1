/* What can be done at a row: go there, fork there, let a drift begin there. A small box over the curves. */
import { button, clamp, element, setText } from "../../kit/js/dom.js";
import { formatCount } from "../../kit/js/format.js";

export const ROW_MENU_CSS = `
.sl-row-menu{position:absolute;z-index:6;left:0;top:0;width:max-content;min-width:190px;max-width:min(300px,100%);padding:4px;border:1px solid var(--sl-line);
  border-radius:8px;background:var(--sl-paper);box-shadow:var(--sl-shadow)}
.sl-row-menu>div:first-child{display:flex;align-items:center;justify-content:space-between;gap:4px;font-size:13px}
.sl-row-menu button{display:block;min-height:28px;padding:2px 8px;border:0;border-radius:6px;background:none;color:var(--sl-text);text-align:left;
  cursor:pointer;font-size:13px}
.sl-row-menu>div:last-child button{width:100%}
.sl-row-menu button:is(:hover,:focus-visible){background:var(--sl-track)}
.sl-row-menu small{display:block;color:var(--sl-muted);font-size:13px;overflow-wrap:anywhere}
`;

/** What can be done at a row of a run: [command, words, small words]. */
export function actsAt(row, { position, end, rows, fork, drift }) {
  return [
    ...(row <= end && row !== position ? [["seek", "Go to this row", ""]] : []),
    ...(row <= end && fork ? [["fork", "Fork here", fork]] : []),
    ...((rows === null || row < rows) && drift ? [["drift", "Let a drift begin here", drift]] : []),
    ["reports", "All reports", ""],
  ];
}

export class RowMenu {
  /** @param {{host: HTMLElement, onAct: (command: string, row: number) => void}} options `host`: what it lies over (position: relative) */
  constructor({ host, onAct }) {
    Object.assign(this, { host, onAct, from: null });
    this.title = element("b", { role: "status" });
    const step = (text, words, rows) => button(text, () => this.stand(this.row + rows), { "aria-label": words, title: words });
    this.list = element("div");
    this.node = element("div", { class: "sl-row-menu", role: "dialog", hidden: true }, [
      element("div", {}, [step("◂", "A row back", -1), this.title, step("▸", "A row on", 1)]), this.list,
    ]);
    this.node.addEventListener("keydown", (event) => this.key(event));
    this.away = (event) => { if (!event.composedPath().includes(this.node)) this.close(); };
  }

  /**
   * Opens at a row.
   * @param {{row: number, x: number, run: object, from?: HTMLElement}} place `x` in px of the host; `run` as `actsAt` takes it; `from` what
   *   has the focus again when it is closed by a key
   */
  open({ row, x, run, from = null }) {
    Object.assign(this, { run, from });
    this.node.hidden = false;
    this.stand(row);
    this.node.style.left = `${clamp(x + 8, 0, Math.max(0, this.host.clientWidth - this.node.offsetWidth))}px`;
    (this.list.firstChild ?? this.node.querySelector("button")).focus({ preventScroll: true });
    document.addEventListener("pointerdown", this.away, true);
  }

  /** Is about a row. */
  stand(row) {
    this.row = clamp(row, 0, this.run.rows ?? Infinity);
    setText(this.title, `Row ${formatCount(this.row)}`);
    this.node.setAttribute("aria-label", `At row ${formatCount(this.row)}`);
    const stood = this.node.getRootNode().activeElement?.slCommand;
    this.list.replaceChildren(...actsAt(this.row, this.run).map(([command, words, small]) => {
      const act = button(null, () => {
        this.close();
        this.onAct(command, this.row);
      });
      act.append(element("span", { text: words }), ...(small ? [element("small", { text: small })] : []));
      return Object.assign(act, { slCommand: command });
    }));
    [...this.list.children].find(({ slCommand }) => slCommand === stood)?.focus({ preventScroll: true });
  }

  close() {
    this.node.hidden = true;
    document.removeEventListener("pointerdown", this.away, true);
  }

  /** The arrows go from act to act and from row to row. */
  key(event) {
    const buttons = [...this.list.children], place = buttons.findIndex((button) => button.matches(":focus"));
    const [down, along] = [{ ArrowDown: 1, ArrowUp: -1 }[event.key], { ArrowRight: 1, ArrowLeft: -1 }[event.key]];
    if (down) buttons.at((place + down) % buttons.length)?.focus();
    else if (along) this.stand(this.row + along);
    else if (event.key === "Escape") {
      this.close();
      this.from?.focus({ preventScroll: true });
    }
    if (down || along || event.key === "Escape") event.preventDefault();
    // keys mean something to the page, too
    if (event.key !== "Tab") event.stopPropagation();
  }
}
