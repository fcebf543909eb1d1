/* A flat picture of a frame without a page: what it writes and fills, and where its marks are. */
import { LIGHT } from "../../streamlab/views/kit/js/palette.js";

/** Letters are 6 px wide, whatever the font. */
export const texts = {
  width: (text) => 6 * text.length,
  first: (all, _, width) => all.find((text) => 6 * text.length <= width) ?? null,
  fit: (text, _, width, least = 3) => (6 * text.length <= width ? text : width < 6 * (least + 1) ? "" : `${text.slice(0, Math.floor(width / 6) - 1)}…`),
};

/** @returns {view, total: its height, said: [words, x, y, colour], filled: [x, y, width, height, colour]} */
export function drawn({ View }, frame, { width = 1300, theme = LIGHT, ...more } = {}) {
  const said = [], filled = [], state = {};
  const acts = { fillText: (...words) => said.push([...words, state.fillStyle]), fillRect: (...box) => filled.push([...box, state.fillStyle]) };
  const context = new Proxy(state, { get: (_, name) => acts[name] ?? (name in state ? state[name] : () => {}) });
  const view = Object.assign(Object.create(View.prototype), {
    about: { key: "id", ...View.about }, texts, theme, frame, width, tall: 440, labels: [], found: null, selected: null, cursor: null, hovered: null, piece: null,
    canFind: true, search: { query: "", input: {} }, camera: { place: (x, y) => [x, y], see: (box) => box, at: { k: 1 } }, onChange() {},
  });
  view.setUp({});
  Object.assign(view, more);
  view.painter.setTheme(theme);
  view.accept(frame, null, 0);
  view.marks = new Map();
  return { view, total: view.picture(view.painter.on(context, { marks: view.marks }), width), said, filled };
}

/** The boxes of a view's marks, but those that are meant in reach alone. */
export const boxesOf = ({ marks }) => [...marks.values()].flat().filter(({ away }) => !away);
