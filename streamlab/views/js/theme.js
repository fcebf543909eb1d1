/*
 * What the streamlab views share: colours, number formats, the wire format, the drawing loop, tooltips.
 *
 * No dependencies. In a Panel component this text is put in front of a view's own module (streamlab.views.pictures.forest.view.javascript
 * does so); anywhere else the views import it as an ordinary module.
 */

/** Anchors of viridis (Smith, van der Walt), evenly spaced: perceptually uniform and safe for colour-blind eyes. */
const VIRIDIS = [
  [68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142],
  [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37],
];

/** The two surfaces the colours are chosen for: Material UI's paper in light and in dark. */
const SURFACE = { light: [255, 255, 255], dark: [18, 18, 18] };

export function clamp(value, low, high) {
  return value < low ? low : value > high ? high : value;
}

function mix(a, b, share) {
  return a.map((channel, i) => channel + (b[i] - channel) * share);
}

function css(rgb, alpha = 1) {
  const [r, g, b] = rgb.map(Math.round);
  return alpha === 1 ? `rgb(${r},${g},${b})` : `rgba(${r},${g},${b},${alpha})`;
}

/** The colour at 0 (dark violet) to 1 (yellow), [red, green, blue]. */
export function viridis(position) {
  const place = clamp(position, 0, 1) * (VIRIDIS.length - 1);
  const below = Math.min(Math.floor(place), VIRIDIS.length - 2);
  return mix(VIRIDIS[below], VIRIDIS[below + 1], place - below);
}

/**
 * `steps` colours from strong (index 0) to weak (last). Strong always means "far from the surface": dark ink on a light page,
 * bright on a dark one, so that what fades recedes into the page in both themes.
 * @returns {{solid: string[], tint: string[], rgb: number[][]}} css colours; `tint` is the same colour as a thin wash
 */
export function ramp(dark, steps) {
  const surface = dark ? SURFACE.dark : SURFACE.light;
  const rgb = [];
  for (let i = 0; i < steps; i++) {
    const t = i / (steps - 1);
    const colour = viridis(dark ? 0.74 - 0.6 * t : 0.18 + 0.76 * t);
    rgb.push(mix(colour, surface, (dark ? 0.12 : 0.22) * t * t));
  }
  return {
    rgb,
    solid: rgb.map((colour) => css(colour)),
    tint: rgb.map((colour) => css(mix(surface, colour, dark ? 0.3 : 0.2))),
  };
}

/** Black or white text, whichever reads better on the colour. */
export function inkOn(rgb) {
  const linear = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return luminance > 0.18 ? "#000" : "#fff";
}

/** Rules that every view uses; text colours hold 4.5:1 on Material UI's surfaces, lines and controls 3:1. */
export const SHARED_CSS = `
.sl-view{--sl-text:#1f2328;--sl-muted:#57606a;--sl-line:#d5d9df;--sl-track:#eceef1;--sl-control:#7c838d;--sl-accent:#1565c0;
  --sl-up:#00609c;--sl-down:#a84300;--sl-bar:#5b8db8;--sl-paper:#fff;--sl-shadow:0 2px 10px rgba(0,0,0,.18);
  position:relative;box-sizing:border-box;width:100%;min-width:0;color:var(--sl-text);line-height:1.45;
  font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;font-size:13px;font-variant-numeric:tabular-nums}
.sl-view.sl-dark{--sl-text:#e6e8eb;--sl-muted:#a8b0ba;--sl-line:#3a3f47;--sl-track:#272b31;--sl-control:#868e99;--sl-accent:#90caf9;
  --sl-up:#7cc4f0;--sl-down:#ffa45c;--sl-bar:#5c97c7;--sl-paper:#26292e;--sl-shadow:0 2px 12px rgba(0,0,0,.6)}
.sl-view *,.sl-view *::before,.sl-view *::after{box-sizing:border-box}
.sl-view canvas{display:block}
.sl-hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.sl-muted{color:var(--sl-muted);font-size:12px}
.sl-stage{position:relative;outline:none;border-radius:4px}
.sl-stage:focus-visible{outline:2px solid var(--sl-accent);outline-offset:6px}
.sl-tip{position:absolute;z-index:5;left:0;top:0;max-width:min(310px,100%);padding:8px 10px;border-radius:6px;pointer-events:none;
  background:var(--sl-paper);border:1px solid var(--sl-line);box-shadow:var(--sl-shadow);font-size:12px;white-space:pre-line}
.sl-tip[hidden]{display:none}
.sl-tip b{display:block;font-size:13px;font-weight:600}
.sl-empty{position:absolute;inset:0;display:flex;align-items:center;justify-content:center;color:var(--sl-muted);text-align:center;
  border:1px dashed var(--sl-line);border-radius:8px;padding:12px}
.sl-empty[hidden]{display:none}
.sl-view details{margin-top:12px}
.sl-view summary{display:inline-flex;align-items:center;gap:6px;min-height:28px;padding:0 8px;margin-left:-8px;border-radius:4px;
  cursor:pointer;color:var(--sl-muted);font-size:12px;list-style:none}
.sl-view summary::-webkit-details-marker{display:none}
.sl-view summary::before{content:"\\25B8";font-size:11px}
.sl-view details[open]>summary::before{content:"\\25BE"}
.sl-view summary:hover{color:var(--sl-text)}
.sl-view :is(summary,button,.sl-scroll):focus-visible{outline:2px solid var(--sl-accent);outline-offset:1px}
.sl-scroll{overflow:auto;max-height:320px;border:1px solid var(--sl-line);border-radius:6px;margin-top:4px}
.sl-view table{border-collapse:collapse;width:100%;font-size:12px}
.sl-view th,.sl-view td{text-align:right;padding:4px 10px;border-bottom:1px solid var(--sl-line);font-weight:400;white-space:nowrap}
.sl-view thead th{position:sticky;top:0;background:var(--sl-paper);color:var(--sl-muted)}
.sl-view :is(th,td):first-child,.sl-view .sl-left{text-align:left}
.sl-view tbody tr:last-child>*{border-bottom:0}
`;

/** A DOM element with attributes and children; `text` sets textContent, so nothing given here is ever parsed as HTML. */
export function element(tag, attributes = {}, children = []) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = value;
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** Writes text only where it differs: an unchanged node costs no layout. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const COUNT = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const SMALL = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

export function formatCount(value) {
  return COUNT.format(value);
}

/** Three significant digits below 100, whole numbers above. */
export function formatNumber(value) {
  return Math.abs(value) < 100 ? SMALL.format(value) : COUNT.format(value);
}

/** A share in 0..1 as "12.3 %", small ones as "< 0.1 %". */
export function formatPercent(share) {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return percent >= 99.95 ? "100 %" : `${percent.toFixed(1)} %`;
}

export function plural(count, noun) {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

const ARRAY_TYPES = { f8: Float64Array, f4: Float32Array, u4: Uint32Array, u2: Uint16Array, i2: Int16Array, u1: Uint8Array };

/**
 * Columns out of one binary buffer, as streamlab.views.pictures.forest.view.pack wrote them, widest items first (hence aligned).
 * @param {Array<[string, string, number, number]>} spec name, item type, length and scale of each column, in order; a column
 *   with a scale other than 1 is divided by it (shares travel as 16-bit fixed point)
 * @param {ArrayBuffer} buffer little-endian, as every browser platform is
 */
export function unpack(spec, buffer) {
  const columns = {};
  let offset = 0;
  for (const [name, type, length, scale] of spec) {
    const raw = new ARRAY_TYPES[type](buffer, offset, length);
    columns[name] = scale === 1 ? raw : Float32Array.from(raw, (item) => item / scale);
    offset += raw.byteLength;
  }
  return columns;
}

/**
 * Shortest time between two draws, in ms: 30 a second look smooth. While frames keep coming the picture never rests, and 20 a
 * second do: the cores are the learner's.
 */
const CALM_MS = 31, BUSY_MS = 48, BUSY_GAP_MS = 250;

/**
 * Calls `draw(now)` while asked to, no more often than smooth motion needs, and never while nobody can see it.
 *
 * `request()` asks for one draw; `draw` returns true to be called again. Hidden tab or scrolled out of sight: the loop stops;
 * on return it calls `onReturn`, so that the view can jump to the newest state instead of playing what was missed.
 */
export class DrawLoop {
  constructor(target, draw, onReturn) {
    this.draw = draw;
    this.onReturn = onReturn;
    this.handle = 0;
    this.last = -Infinity;
    this.every = CALM_MS;
    this.frameAt = -Infinity;
    this.inSight = true;
    this.wanted = false;
    this.away = document.hidden;
    this.tick = this.tick.bind(this);
    this.visibility = () => this.reconsider();
    document.addEventListener("visibilitychange", this.visibility);
    this.observer = new IntersectionObserver((entries) => {
      this.inSight = entries[entries.length - 1].isIntersecting;
      this.reconsider();
    }, { rootMargin: "100px" });
    this.observer.observe(target);
  }

  get visible() {
    return this.inSight && !document.hidden;
  }

  /** A new frame has come: how soon after the last decides how often is drawn. */
  frame() {
    const now = performance.now();
    this.every = now - this.frameAt < BUSY_GAP_MS ? BUSY_MS : CALM_MS;
    this.frameAt = now;
    this.request();
  }

  request() {
    this.wanted = true;
    if (!this.handle && this.visible) this.handle = requestAnimationFrame(this.tick);
  }

  reconsider() {
    if (!this.visible) {
      cancelAnimationFrame(this.handle);
      this.handle = 0;
      this.away = true;
    } else if (this.away) {
      this.away = false;
      this.onReturn();
      this.request();
    }
  }

  tick(now) {
    this.handle = 0;
    // A little slack: on a 60 Hz screen every second (third) refresh is drawn, not every third (fourth).
    if (now - this.last < this.every - 4) {
      this.handle = requestAnimationFrame(this.tick);
      return;
    }
    this.last = now;
    this.wanted = false;
    if (this.draw(now)) this.request();
  }

  stop() {
    cancelAnimationFrame(this.handle);
    document.removeEventListener("visibilitychange", this.visibility);
    this.observer.disconnect();
  }
}

/** Runs something at most every `every` ms, and always once after the last request. */
export class Throttled {
  constructor(run, every) {
    this.run = run;
    this.every = every;
    this.due = 0;
    this.timer = 0;
  }

  request() {
    if (this.timer) return;
    const wait = Math.max(0, this.due - performance.now());
    if (wait === 0) this.fire();
    else this.timer = setTimeout(() => this.fire(), wait);
  }

  fire() {
    this.timer = 0;
    this.due = performance.now() + this.every;
    this.run();
  }

  stop() {
    clearTimeout(this.timer);
  }
}

/** A bitmap as large as its CSS box times devicePixelRatio. Returns the ratio. */
export function fitCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  return ratio;
}

/** A tooltip inside `host` (position: relative), kept within the host's width. */
export class Tooltip {
  constructor(host) {
    this.host = host;
    this.title = element("b");
    this.body = element("span");
    this.node = element("div", { class: "sl-tip", role: "presentation", "aria-hidden": "true", hidden: true }, [this.title, this.body]);
    host.append(this.node);
  }

  /** Shows `title` and `lines` beside the box {x, y, width, height} given in the host's pixels: below it, or above. */
  show(box, title, lines) {
    setText(this.title, title);
    setText(this.body, lines.join("\n"));
    this.node.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.node;
    const left = clamp(box.x + box.width / 2 - width / 2, 0, Math.max(0, this.host.clientWidth - width));
    const below = box.y + box.height + 8;
    const fits = below + height <= this.host.clientHeight || box.y - height - 8 < 0;
    this.node.style.transform = `translate(${Math.round(left)}px,${Math.round(fits ? below : box.y - height - 8)}px)`;
  }

  hide() {
    this.node.hidden = true;
  }
}

const READY_EVERY_MS = 500;

/** Calls `render(frame)` when a packed frame arrives, and answers so that the next one may be sent. */
export function receiveFrames(model, view, receive) {
  let live = true;
  let again = 0;
  const onMessage = (message) => {
    if (message?.kind !== "frame") return;
    clearInterval(again);
    const { spec, buffer, ...header } = message;
    receive({ ...header, ...unpack(spec, buffer) });
    // Received is enough: the newest frame replaces an undrawn one, so a hidden tab holds nothing up.
    model.send_msg({ kind: "received", number: header.number });
  };
  const ready = () => live && model.send_msg({ kind: "ready" });
  model.on("msg:custom", onMessage);
  view?.model?.document?.on_event?.("client_reconnected", ready);
  ready();
  // a word said while the page is still being put together may go unheard: said again until it is answered
  again = setInterval(ready, READY_EVERY_MS);
  return () => {
    live = false;
    clearInterval(again);
    model.off("msg:custom", onMessage);
  };
}

/**
 * One view per Panel component view: a second render takes the place of the first, removal frees everything.
 * @param {() => () => void} create makes the view and returns what frees it
 */
export function renderOnce(model, view, create) {
  view.__streamlab_dispose?.();
  view.__streamlab_dispose = create();
  model.on("lifecycle:remove", () => {
    view.__streamlab_dispose?.();
    view.__streamlab_dispose = undefined;
  });
}

export const reducedMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
