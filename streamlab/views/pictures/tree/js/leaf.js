/* A leaf's look: its shape and colour say how it predicts, its filling its error. */
import { clamp } from "../../../kit/js/dom.js";
import { Painter } from "../../../kit/js/marks.js";
import { tint } from "../../../kit/js/palette.js";

/** How a leaf predicts, by regime. */
export const REGIMES = ["nothing learnt yet", "majority or one label set", "nearest neighbours", "regressions", "choice among label sets", "a model for each label", "naive Bayes"];
/** The same in the key, after "answers". */
export const SHORT = ["as it began", "by majority", "by nearest rows", "by regressions", "by label sets", "by models", "by naive Bayes"];
/** The regime whose outline a leaf has in whose tree all nodes answer: a circle. */
const MIXED = 2;
/** Those of a tree that does not say which its leaves have. */
export const USUAL_REGIMES = [1, 2, 3];
/** The hue of each regime from the first on: none of those that the first two learners' curves have. */
const HUES = [3, 4, 2, 6, 5, 4];
/** Steps in which a leaf's filling is drawn: 5 % is less than two pixels. */
const LEVELS = 20;
const MOST_SPRITES = 600;

const regular = (corners) => Array.from({ length: corners }, (_, i) => i * 2 * Math.PI / corners - Math.PI / 2).map((angle) => [1.16 * Math.cos(angle), 1.16 * Math.sin(angle)]);
/** Outlines by regime: a hexagon, a diamond, a triangle, a pentagon, in radii of the leaf. */
const CORNERS = { 3: regular(6), 4: [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]], 5: [[0, -1.2], [1.2, 1], [-1.2, 1]], 6: regular(5) };

/** Outline of a leaf of a regime around a point: a square, one with corners, a circle, or a small circle. */
function trace(painter, regime, x, y, r) {
  const { context } = painter;
  if (CORNERS[regime]) {
    painter.trace(CORNERS[regime].map(([dx, dy]) => [x + dx * r, y + dy * r]));
    context.closePath();
  } else if (regime === 1) {
    context.beginPath();
    context.roundRect(x - r, y - r, 2 * r, 2 * r, r * 0.3);
  } else painter.circle(x, y, regime === 0 ? 0.62 * r : 1.06 * r);
}

/** The colour of a leaf and its wash: of a tree that mixes answers grey, as bars tell whose count. */
function coloursOf(theme, { regime, isActive, isMixed }) {
  if (!isActive) return [theme.control, theme.track];
  const solid = isMixed ? theme.outline : regime === 0 ? theme.control : theme.hues[HUES[regime - 1]];
  return [solid, tint(theme, solid, regime === 0 ? 0.08 : 0.15)];
}

/** A leaf: filled from below as far as its error, hatched and grey when it is switched off, dashed in an alternate. */
export function paintLeaf(painter, look, x, y, r) {
  const { context, theme } = painter, { level, isActive, isGhost } = look;
  const regime = look.isMixed ? MIXED : look.regime, inner = isGhost ? 0.84 * r : r;
  const [solid, wash] = coloursOf(theme, look);
  context.save();
  trace(painter, regime, x, y, inner);
  painter.fill(wash);
  // an outline of its own: on paper the one that is filled is not the one that cuts
  trace(painter, regime, x, y, inner);
  context.clip();
  const height = 2.32 * r * level;
  if (level > 0) painter.rect(x - 2 * r, y + 1.16 * r - height, 4 * r, height, solid);
  if (!isActive) {
    const hatches = [];
    for (let at = x - 2 * r; at <= x + 2 * r; at += Math.max(2.5, r / 2.6)) hatches.push([at - 1.2 * r, y + 1.2 * r, at + 1.2 * r, y - 1.2 * r]);
    painter.links(hatches, theme.control, Math.max(0.8, r / 9));
  }
  context.restore();
  trace(painter, regime, x, y, r);
  painter.stroke(solid, clamp(r / 7, 0.8, 1.7), isGhost ? [r / 3.2, r / 4.2] : []);
}

/** Leaves painted once per look and size, then copied: much cheaper than clipping 200 of them in every draw. */
export class Sprites {
  constructor() {
    this.cache = new Map();
  }

  clear() {
    this.cache.clear();
  }

  get(theme, look, size, ratio) {
    const key = `${look.isMixed ? "mixed" : look.regime} ${Math.round(look.level * LEVELS)} ${look.isActive} ${look.isGhost} ${size} ${ratio}`;
    let sprite = this.cache.get(key);
    if (!sprite) {
      if (this.cache.size > MOST_SPRITES) this.cache.clear();
      sprite = document.createElement("canvas");
      sprite.width = sprite.height = Math.ceil((size * 1.3 + 4) * ratio);
      const context = sprite.getContext("2d");
      context.scale(ratio, ratio);
      const middle = sprite.width / ratio / 2;
      paintLeaf(new Painter().on(context, { theme }), { ...look, level: Math.round(look.level * LEVELS) / LEVELS }, middle, middle, size / 2);
      this.cache.set(key, sprite);
    }
    return sprite;
  }
}
