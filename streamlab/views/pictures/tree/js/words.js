/* What the numbers of a frame mean, in words. */
import { cut, formatCount, formatNumber, formatPercent, formatSigned, plural } from "../../../kit/js/format.js";

/** How a leaf predicts, by regime. */
export const REGIMES = ["nothing learnt yet", "majority or one label set", "nearest neighbours", "regressions", "choice among label sets", "a model for each label", "naive Bayes"];

/** A condition with two digits of its number, and no 0 before the point. */
const briefly = (rest) => rest.replace(/\d+\.\d+$/, (number) => (number < 10 ? Number(number).toPrecision(2).replace(/^0\./, ".") : Number(number).toFixed()));
/** From so many errors of ten on a leaf says that it errs. */
const MUCH = 2;
/** How many times of ten a leaf errs; 0 where that is not much. */
export const often = (error) => (Math.round(10 * error) >= MUCH ? Math.round(10 * error) : 0);

export class Words {
  constructor() {
    Object.assign(this, { labels: [], features: [], categories: [], frame: null });
    this.forget();
  }

  forget() {
    this.testTexts = new Map();
  }

  take(frame) {
    this.frame = frame;
    this.forget();
  }

  feature(row) {
    const index = this.frame.feature[row];
    return this.features[index] ?? `feature ${index}`;
  }

  label(row) {
    const top = this.frame.top[row];
    return top < 0 ? null : (this.labels[top] ?? `label ${top}`);
  }

  /** The labels of an answer, at most two and what more there are. */
  names(answer = []) {
    const known = answer.slice(0, 2).map((label) => this.labels[label] ?? `label ${label}`);
    return [known.join(", "), ...(answer.length > 2 ? [`+${answer.length - 2}`] : [])].join(" ");
  }

  /** The end of a test, as "≤ 0.52" or "= red"; `holds` false: the opposite. */
  condition(row, holds = true) {
    const { frame } = this;
    const value = frame.threshold[row];
    if (Number.isNaN(value)) return "by value";
    if (!frame.is_nominal[row]) return `${holds ? "≤" : ">"} ${formatNumber(value)}`;
    const name = this.categories[frame.feature[row]]?.[value] ?? `category ${value}`;
    return `${holds ? "=" : "≠"} ${name}`;
  }

  test(row, holds = true) {
    return `${this.feature(row)} ${this.condition(row, holds)}`;
  }

  /** A branch's test, then its feature alone; only long names are cut. */
  tests(row) {
    let texts = this.testTexts.get(row);
    if (!texts) {
      const [name, rest] = [this.feature(row), this.condition(row)];
      // a number is whole, or not there
      const short = this.frame.is_nominal[row] ? rest : briefly(rest);
      texts = [`${name} ${short}`, `${cut(name, 14)} ${cut(short, 10)}`, cut(name, 14)];
      this.testTexts.set(row, texts);
    }
    return texts;
  }

  /** A leaf's commonest label; only a long one is cut. */
  captions(row) {
    const name = this.label(row);
    return name === null ? [] : [name, cut(name, 12)];
  }

  /** The leaves that err much, and what they say of that, worst first. */
  erring() {
    const { error, is_leaf: isLeaf, background } = this.frame;
    const rows = [...error.keys()].filter((row) => isLeaf[row] && !background[row] && often(error[row]));
    return rows.sort((a, b) => error[b] - error[a]).map((row) => [row, `errs ${often(error[row])} of 10 here`]);
  }

  /** How many leaves a tree has that is drawn whole; "" of one that is one leaf. */
  leaves() {
    const { is_leaf: isLeaf, background, n_nodes: all } = this.frame, own = isLeaf.filter((_, row) => !background[row]);
    return own.length > 1 && own.length === (all ?? own.length) ? `${formatCount(own.filter(Boolean).length)} leaves` : "";
  }

  kind(row) {
    const { frame } = this;
    const what = frame.is_leaf[row] ? "Leaf" : this.test(row);
    if (frame.rival[row] >= 0) return `${what} · root of an alternate`;
    const whose = frame.background[row] ? " · of an alternate" : "";
    return `${what}${whose} · ${frame.parent[row] < 0 ? "root" : `depth ${frame.depth[row]}`}`;
  }

  describe(row) {
    const { frame } = this;
    const lines = [];
    const parent = frame.parent[row];
    if (parent >= 0) lines.push(`reached if ${this.test(parent, !frame.second[row])}`);
    const recent = frame.weight_recent[row];
    lines.push(`weight ${formatNumber(frame.weight[row])}${recent > 0 ? `, ${formatNumber(recent)} of it recent` : ""}`);
    lines.push(this.error(row));
    const sets = frame.n_labelsets[row];
    if (sets > 0) lines.push(`${plural(sets, "label set")}, entropy ${formatNumber(frame.entropy[row])}`);
    if (this.label(row) !== null) lines.push(`commonest label: ${this.label(row)}`);
    const mixture = this.mixture(row);
    if (mixture) lines.push(`${mixture.words}${mixture.losses ? `; losses ${mixture.losses.join(" and ")}` : ""}`);
    else if (frame.is_leaf[row]) lines.push(frame.regime[row] ? `predicts by ${this.regime(row)}` : REGIMES[0]);
    const [, part] = frame.way?.find(([id]) => id === frame.id[row]) ?? [];
    if (part !== undefined) lines.push(`gives ${formatPercent(part)} of the answer to the latest row`);
    const ready = frame.readiness?.[row];
    if (ready >= 0) lines.push(`has ${formatPercent(ready)} of the evidence that its next split takes`);
    if (frame.is_leaf[row] && !frame.active[row]) lines.push("switched off: it no longer looks for a test");
    const rival = frame.rival[row];
    if (rival >= 0) lines.push(`competes with node ${frame.id[rival]}: ${this.duel(row, rival)}`);
    const alternate = frame.rival.indexOf(row);
    if (alternate >= 0) lines.push(`an alternate competes with it: ${this.duel(alternate, row)}`);
    if (frame.folded[row]) lines.push(`${plural(frame.folded[row], "more node")} below, not drawn${frame.collapsed[row] ? ": folded" : ""}`);
    return { title: `${this.kind(row)} · node ${frame.id[row]}`, lines };
  }

  /** The two answers that a node mixes, {words, losses}; null where there is nothing to mix. */
  mixture(row) {
    const { frame } = this;
    if (!frame.share_first) return null;
    const share = frame.share_first[row], isLeaf = frame.is_leaf[row];
    if (Number.isNaN(share)) return isLeaf ? null : { words: "keeps no regressions: passes on what is below", losses: null };
    const first = Math.round(100 * share);
    const words = isLeaf ? `mixes neighbours ${first} %, regressions ${100 - first} %` : `trusts itself ${first} %, what is below ${100 - first} %`;
    return { words, losses: [frame.loss_first[row], frame.loss_second[row]].map(formatSigned) };
  }

  regime(row) {
    return REGIMES[Math.min(this.frame.regime[row], REGIMES.length - 1)];
  }

  error(row) {
    const error = this.frame.error[row];
    return Number.isNaN(error) ? "error not known yet" : `error ${formatPercent(error)}`;
  }

  duel(alternate, rival) {
    const [mine, theirs] = [this.frame.error[alternate], this.frame.error[rival]];
    if (Number.isNaN(mine) || Number.isNaN(theirs)) return "no errors to compare yet";
    return `error ${formatPercent(mine)} against ${formatPercent(theirs)}`;
  }

  /** Whether a branch's feature or a leaf's commonest label has the query in its name. */
  matches(row, query) {
    const name = this.frame.is_leaf[row] ? this.label(row) : this.feature(row);
    return name !== null && name.toLowerCase().includes(query);
  }

  summary() {
    const { frame } = this;
    let [leaves, ghosts, alternates, deepest] = [0, 0, 0, 0];
    for (let i = 0; i < frame.id.length; i++) {
      if (frame.background[i]) ghosts++;
      else if (frame.is_leaf[i]) leaves++;
      if (frame.rival[i] >= 0) alternates++;
      if (!frame.background[i]) deepest = Math.max(deepest, frame.y[i]);
    }
    // alternates are not yet of the tree: they are counted apart
    const tests = frame.id.length - ghosts - leaves, left = (frame.n_nodes ?? frame.id.length) - frame.id.length;
    const beside = alternates ? ` Beside it ${plural(alternates, "alternate")} of ${plural(ghosts, "node")}.` : "";
    const more = left > 0 ? ` ${plural(left, "more node")} not drawn.` : "";
    return `${leaves === 1 ? "1 leaf" : `${formatCount(leaves)} leaves`}, ${plural(tests, "test")}, depth ${deepest}, after ${plural(frame.now, "row")}.${beside}${more}`;
  }

  /** The cells of a row of the table. */
  cells(row) {
    const { frame } = this;
    const isLeaf = frame.is_leaf[row];
    const mixture = this.mixture(row);
    const mixed = frame.share_first ? [mixture?.words ?? "–", mixture?.losses?.join(", ") ?? "–"] : [];
    return [
      `${frame.background[row] ? "alternate: " : ""}${isLeaf ? "leaf" : this.test(row)}`, `${frame.depth[row]}`, formatNumber(frame.weight[row]),
      Number.isNaN(frame.error[row]) ? "–" : formatPercent(frame.error[row]), this.label(row) ?? "–",
      isLeaf ? `${this.regime(row)}${frame.active[row] ? "" : " (switched off)"}` : "–", formatCount(frame.folded[row]), ...mixed,
    ];
  }
}
