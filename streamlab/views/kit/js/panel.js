/* What ties a view to its component in Panel, and frames as they arrive. */
import { element } from "./dom.js";
import { SHARED_CSS } from "./style.js";

export const ARRAY_TYPES = {
  f8: Float64Array, f4: Float32Array, u4: Uint32Array, i4: Int32Array, u2: Uint16Array, i2: Int16Array, u1: Uint8Array,
};

/**
 * Columns out of one binary buffer, as streamlab.views.kit.columns.pack wrote them, widest items first (hence aligned).
 * @param {Array<[string, string, number, number|string[]]>} spec name, item type, length and scale of each column, in order. A
 *   column with a scale other than 1 is divided by it (shares travel as 16-bit fixed point). Names in the scale's place are those
 *   of flags, lowest bit first: each becomes a column of its own, 0 or 1
 * @param {ArrayBuffer} buffer little-endian, as every browser platform is
 */
export function unpack(spec, buffer) {
  const columns = {};
  let offset = 0;
  for (const [name, type, length, scale] of spec) {
    const raw = new ARRAY_TYPES[type](buffer, offset, length);
    if (Array.isArray(scale)) scale.forEach((flag, bit) => { columns[flag] = Uint8Array.from(raw, (bits) => (bits >> bit) & 1); });
    else columns[name] = scale === 1 ? raw : Float32Array.from(raw, (item) => item / scale);
    offset += raw.byteLength;
  }
  return columns;
}

const READY_EVERY_MS = 500;

/** Calls `receive(frame)` when a packed frame arrives, and answers so that the next one may be sent. */
export function receiveFrames(model, view, receive) {
  let live = true;
  let again = 0;
  const onMessage = (message) => {
    if (message?.kind === "frame" || message?.kind === "heard") clearInterval(again);
    if (message?.kind !== "frame") return;
    const { spec, buffer, ...header } = message;
    receive({ ...header, ...unpack(spec, buffer) });
    // Received is enough: the newest frame replaces an undrawn one, so a hidden tab holds nothing up.
    model.send_msg({ kind: "received", number: header.number });
  };
  const ready = () => model.send_msg({ kind: "ready" });
  model.on("msg:custom", onMessage);
  // a word said while the page is still being put together may go unheard: said again until it is answered
  const say = () => {
    clearInterval(again);
    if (!live) return;
    ready();
    again = setInterval(ready, READY_EVERY_MS);
  };
  view?.model?.document?.on_event?.("client_reconnected", say);
  // a word on a socket that is just being opened again would end it
  view?.model?.document?.on_event?.("connection_lost", () => clearInterval(again));
  say();
  return () => {
    live = false;
    clearInterval(again);
    model.off("msg:custom", onMessage);
  };
}

/**
 * Takes a component that came by a message as known to the server, which sent it. BokehJS 3.9 takes it for a new one: its first word to the
 * server would bring the whole component along, its JavaScript too, and the server would log "reference already known".
 */
function takeAsKnown(model) {
  for (const each of model?.references?.() ?? []) model.document?._new_models?.delete(each);
}

/**
 * One view per Panel component view: a second render takes the place of the first, removal frees everything.
 * @param {() => () => void} create makes the view and returns what frees it
 */
export function renderOnce(model, view, create) {
  takeAsKnown(view.model);
  view.__streamlab_dispose?.();
  view.__streamlab_dispose = create();
  model.on("lifecycle:remove", () => {
    view.__streamlab_dispose?.();
    view.__streamlab_dispose = undefined;
  });
}

/**
 * What Panel calls to draw a picture; its `View` works without Panel, too.
 * @param {new (root: HTMLElement, options: object) => CanvasView} View `View.parameters` names the component's parameters that the
 *   view takes beside those of every picture, as options and, when they change, as `set(name, value)`
 */
export function renderPicture(View) {
  const render = ({ model, el, view }) => renderOnce(model, view, () => {
    const names = ["labels", "dark", "picture_height", ...(View.parameters ?? [])];
    const options = Object.fromEntries([...names, "empty_text"].map((name) => [name, model[name]]));
    const picture = new View(el, {
      ...options,
      onSelect: (id) => { model.selected = id; },
      onChange: (name, value) => { model[name] = value; },
      onMessage: (message) => model.send_msg(message),
    });
    picture.select(model.selected);
    model.on("selected", () => picture.select(model.selected));
    for (const name of names) model.on(name, () => picture.set(name, model[name]));
    const stopReceiving = receiveFrames(model, view, (frame) => picture.update(frame));
    return () => {
      stopReceiving();
      picture.destroy();
    };
  });
  return Object.assign(render, { View });
}

/**
 * What Panel calls to draw a part of the page that is not a picture.
 * @param {(given: {model, view, el: HTMLElement, send: (message) => void, signal: AbortSignal}) => object} create makes the part; `signal`
 *   ends what it listens to. The part: box: its outermost element, dark when the page is; css: rules beside those of every view;
 *   update(frame): takes a frame; hear(message): takes a message; setDark(isDark); follows: acts by the parameter that they follow, called
 *   at once too; destroy()
 */
export const renderPart = (create) => ({ model, el, view }) => {
  renderOnce(model, view, () => {
    const own = new AbortController();
    const part = create({ model, view, el, send: (message) => model.send_msg(message), signal: own.signal });
    el.append(element("style", { text: SHARED_CSS + part.css }), part.box);
    const paint = () => {
      part.box.classList.toggle("sl-dark", Boolean(model.dark));
      part.setDark?.(model.dark);
    };
    for (const [name, act] of Object.entries({ dark: paint, ...part.follows })) {
      model.on(name, act);
      act();
    }
    if (part.hear) model.on("msg:custom", part.hear);
    const stopReceiving = part.update && receiveFrames(model, view, part.update);
    return () => {
      own.abort();
      stopReceiving?.();
      if (part.hear) model.off("msg:custom", part.hear);
      part.destroy?.();
      el.replaceChildren();
    };
  });
};
