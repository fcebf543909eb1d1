/* A leaf's look: its shape and colour say how it predicts, its filling its error. */
import { clamp } from "../../../kit/js/dom.js";
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

/** Outline of a leaf of a regime around a point: a square, a circle, a hexagon, a diamond, a triangle, a pentagon, or a small circle. */
function trace(context, regime, x, y, r) {
  context.beginPath();
  if (regime === 1) context.roundRect(x - r, y - r, 2 * r, 2 * r, r * 0.3);
  else if (regime === 3 || regime === 6) {
    const corners = regime === 3 ? 6 : 5;
    for (let corner = 0; corner < corners; corner++) {
      const angle = (corner * 2 * Math.PI) / corners - Math.PI / 2;
      context.lineTo(x + 1.16 * r * Math.cos(angle), y + 1.16 * r * Math.sin(angle));
    }
    context.closePath();
  } else if (regime === 4) {
    for (const [dx, dy] of [[0, -1], [1, 0], [0, 1], [-1, 0]]) context.lineTo(x + 1.25 * r * dx, y + 1.25 * r * dy);
    context.closePath();
  } else if (regime === 5) {
    for (const [dx, dy] of [[0, -1.2], [1.2, 1], [-1.2, 1]]) context.lineTo(x + dx * r, y + dy * r);
    context.closePath();
  } else context.arc(x, y, regime === 0 ? 0.62 * r : 1.06 * r, 0, 2 * Math.PI);
}

/** The colour of a leaf and its wash: of a tree that mixes answers grey, as bars tell whose count. */
function coloursOf(theme, { regime, isActive, isMixed }) {
  if (!isActive) return [theme.control, theme.track];
  const solid = isMixed ? theme.outline : regime === 0 ? theme.control : theme.hues[HUES[regime - 1]];
  return [solid, tint(theme, solid, regime === 0 ? 0.08 : 0.15)];
}

/** A leaf: filled from below as far as its error, hatched and grey when it is switched off, dashed in an alternate. */
export function paintLeaf(context, theme, look, x, y, r) {
  const { level, isActive, isGhost } = look;
  const regime = look.isMixed ? MIXED : look.regime;
  const [solid, wash] = coloursOf(theme, look);
  context.save();
  trace(context, regime, x, y, isGhost ? 0.84 * r : r);
  context.fillStyle = wash;
  context.fill();
  // an outline of its own: on paper the one that is filled is not the one that cuts
  trace(context, regime, x, y, isGhost ? 0.84 * r : r);
  context.clip();
  context.fillStyle = solid;
  const height = 2.32 * r * level;
  if (level > 0) context.fillRect(x - 2 * r, y + 1.16 * r - height, 4 * r, height);
  if (!isActive) {
    context.strokeStyle = theme.control;
    context.lineWidth = Math.max(0.8, r / 9);
    context.beginPath();
    for (let offset = -2 * r; offset <= 2 * r; offset += Math.max(2.5, r / 2.6)) {
      context.moveTo(x + offset - 1.2 * r, y + 1.2 * r);
      context.lineTo(x + offset + 1.2 * r, y - 1.2 * r);
    }
    context.stroke();
  }
  context.restore();
  trace(context, regime, x, y, r);
  context.strokeStyle = solid;
  context.lineWidth = clamp(r / 7, 0.8, 1.7);
  if (isGhost) context.setLineDash([r / 3.2, r / 4.2]);
  context.stroke();
  context.setLineDash([]);
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
      paintLeaf(context, theme, { ...look, level: Math.round(look.level * LEVELS) / LEVELS }, middle, middle, size / 2);
      this.cache.set(key, sprite);
    }
    return sprite;
  }
}
