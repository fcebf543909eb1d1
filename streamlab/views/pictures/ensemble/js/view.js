/*
 * The ensemble view: who answers, since when, and how well.
 *
 * A line is a place in the ensemble, coloured chunk by chunk by how good the member in it was; lines of one label stand together. A
 * frame has {subject, now, chunks, step (rows of a chunk), end (rows when the newest was full), measure, mark ({row, drift} or null)} and the columns of MEMBERS
 * and CELLS in streamlab.views.pictures.ensemble.picture, members by group, seat and time, their cells one after the other.
 */
import { NARROW } from "../../../kit/js/canvas_view.js";
import { clamp } from "../../../kit/js/dom.js";
import { formatCount, markSign, plural } from "../../../kit/js/format.js";
import { MarkedView } from "../../../kit/js/marked_view.js";
import { strength } from "../../../kit/js/palette.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { sharedAxis } from "../../../kit/js/rows_axis.js";
import { BOLD_FONT, NAME_FONT } from "../../../kit/js/text.js";

/** The lowest value of the colours: in steps, so that they do not change with every frame; the share of the cells that may be paler. */
const LOW_STEP = 0.1, FEW = 0.02;
/** Usual errors stay pale: the power of their share. */
const EASE = 2.5;
const MARGIN = 4, HEAD = 18, AXIS = 17, GAP = 7, LEAST_LINE = 5, MOST_LINE = 18, FEW_LINES = 12, MOST_OF_FEW = 42, MOST_ON_PHONE = 34, LONGEST_NAME = 150, VALUE = 44;
/** The shades that the head names, so many steps and px; half of a cross or a ring; the least height of a line that has words beside it. */
const SHADES = 20, SCALE = 60, SIGN = 2.6, NAMED_LINE = 14, PLATED_LINE = 30, TWO_LINES = 34;

/** Chunks after a change within which what is replaced is replaced soon. */
const SOON = 2;
const tenths = (share) => `${Math.round(10 * share)} of 10`;
const percent = (share) => `${Math.round(100 * share)} %`;

class EnsembleView extends MarkedView {
  static about = {
    name: "ensemble", empty: "No learner yet: press play", title: "The learners of an ensemble over time", role: "lines of learners",
    noun: "learner", find: "Find a label or a number",
    keys: "Learners. Up and down move between lines, left and right along one, Enter selects.",
    table: {
      label: "Table of the learners", caption: "One row per learner that is there now.", choose: true,
      heads: ["Learner", "Label", "In the latest chunk", "Started at row"], left: [1],
    },
  };

  static parameters = ["axis"];

  setUp(options) {
    super.setUp();
    Object.assign(this, { axis: options.axis ?? [], low: 0, starts: [] });
  }

  /* --- what comes in -------------------------------------------------------------------------------------------- */

  accept(frame) {
    this.starts = cellStarts(frame);
    // a recording from before has none
    this.noun = frame.noun ?? "learner";
    this.isWhole = frame.group.every((group) => group < 0);
    // what took another's place stands together
    if (this.isWhole) [frame.seat, this.soon, this.replaced] = byChange(frame);
    this.fresh = this.isWhole ? firstOnTop(frame) : -1;
    this.search.input.placeholder = this.isWhole ? "Find a number" : this.about.find;
    // a few bad chunks do not take the colours from all others
    const sorted = Float32Array.from(frame.cell).sort();
    const low = sorted.length ? sorted[Math.floor(FEW * sorted.length)] : 0;
    this.low = Math.min(0.9, Math.floor(low / LOW_STEP + 1e-6) * LOW_STEP);
  }

  /* --- the picture ---------------------------------------------------------------------------------------------- */

  get isWeight() {
    return this.frame.measure === "weight";
  }

  /** The colour of errors, the stronger the more there are, so that what answers well recedes; of weights that of bars, the more the stronger. */
  colourOf(value) {
    return this.isWeight ? strength(this.theme, "bar", value) : strength(this.theme, "guess", ((1 - value) / (1 - this.low)) ** EASE);
  }

  /**
   * Where things stand: groups of lines under each other, names at their left, a cell for each chunk, and now at the right; then the mean of
   * each group, where there is not one whole ensemble.
   */
  placesFor(painter, width, top) {
    const { frame, isWhole } = this, groups = [];
    frame.group.forEach((group, row) => {
      if (groups.at(-1)?.group !== group) groups.push({ group, lines: 0 });
      groups.at(-1).lines = Math.max(groups.at(-1).lines, frame.seat[row] + 1);
    });
    const lines = groups.reduce((sum, each) => sum + each.lines, 0), room = this.tall - top - AXIS - (groups.length - 1) * GAP - 3;
    const line = Math.floor(clamp(room / Math.max(lines, 1), LEAST_LINE, lines > FEW_LINES ? MOST_LINE : width < NARROW && !this.fills ? MOST_ON_PHONE : MOST_OF_FEW));
    // names at the left leave no room for the curves' axis
    const shared = isWhole ? sharedAxis(this.axis, width) : null, of = (row) => shared.left + ((row - shared.from) / (shared.to - shared.from)) * (shared.right - shared.left);
    const names = isWhole ? 0 : Math.min(painter.longest(groups.map(({ group }) => this.groupName(group))), LONGEST_NAME, 0.3 * width) + 8, cells = Math.max(frame.chunks, 1);
    const left = shared ? of(frame.end - frame.chunks * frame.step) : MARGIN + names, end = shared ? of(frame.end) : width - MARGIN - (isWhole ? 0 : VALUE);
    const cell = Math.max((end - left) / cells, shared ? 0 : 1);
    let y = top;
    for (const each of groups) {
      // a name has room even where there is one thin line
      Object.assign(each, { y, height: Math.max(each.lines * line, 13) });
      y += each.height + GAP;
    }
    return { groups, line, left, cell, now: left + cells * cell, floor: y - GAP + 3, shared, tops: new Map(groups.map((each) => [each.group, each.y])) };
  }

  picture(painter, width) {
    this.plated = null;
    const { frame, theme } = this, top = this.drawHead(painter, width), places = this.placesFor(painter, width, top), { left, cell, now, floor, shared } = places;
    // not the cells of rows before those that the curves show
    painter.within(shared?.left ?? 0, top - HEAD, width, floor + AXIS, () => {
      for (const group of places.groups) this.drawGroup(painter, group, places, width);
      for (const row of frame.id.keys()) this.drawMember(painter, row, places);
      painter.context.globalAlpha = 1;
      if (this.isWhole && frame.mark && shared) this.nameChanged(painter, places, width);
      const x = frame.mark ? left + (frame.chunks - (frame.end - frame.mark.row) / frame.step) * cell : -1;
      if (this.plated) painter.plate(`new ${this.noun}`, ...this.plated, { most: now });
      // on a phone a dashed line would be taken for a new tree beside it
      if (this.isPhone && x >= left) painter.rect(x - 1.5, top, 3, floor - top, theme.surface);
      if (x >= left && x <= now) painter.change(x, top - 1, this.isPhone ? top : floor, markSign(frame.mark.drift), [left, now]);
    });
    // the curves below say their rows
    const said = (words, x, align) => { if (!shared) painter.note(words, x, floor + 1, { align, base: "top" }); };
    said(`row ${formatCount(frame.end - frame.chunks * frame.step + 1)}`, left, "left");
    said(`row ${formatCount(frame.end)}`, now, "right");
    if (!this.isWhole) said("mean", width - 4, "right");
    this.sign(painter, theme.lit, 3);
    return floor + AXIS;
  }

  /** What is seen: what the shades are, from the palest to the darkest, and a stroke, on a line of its own where there is no room. Returns where the lines begin. */
  drawHead(painter, width) {
    // on a phone it would lie over the change
    this.isPhone = width < NARROW && !this.fills;
    this.hasPlate = this.fresh >= 0 && !this.isPhone && this.tall / (Math.max(...this.frame.seat) + 1) > PLATED_LINE;
    const { theme, texts, isWeight, low } = this, title = isWeight ? `How much each ${this.noun} counts` : `How often each ${this.noun} errs`;
    const [pale, dark] = isWeight ? ["least", "most"] : ["never", low > 0 ? `${tenths(1 - low)} rows` : "always"];
    const fresh = `new ${this.noun}`, wide = (words) => texts.width(words, NAME_FONT);
    const begin = texts.width(title, BOLD_FONT) + 16, isBeside = begin + wide(pale) + SCALE + wide(dark) + wide(fresh) + 48 <= width, y = isBeside ? 8 : 8 + HEAD;
    let x = isBeside ? begin : 0;
    const say = (words) => {
      painter.text(words, x, y, { colour: theme.muted });
      x += wide(words);
    };
    painter.text(title, 0, 8, { font: BOLD_FONT });
    say(pale);
    for (let k = 0; k < SHADES; k++) {
      const share = k / (SHADES - 1);
      painter.rect(x + 6 + (k * SCALE) / SHADES, y - 6, SCALE / SHADES + 0.4, 12, this.colourOf(isWeight ? share : 1 - share * (1 - low)));
    }
    x += SCALE + 12;
    say(dark);
    if (!this.hasPlate) {
      painter.rect(x + 20, y - 7, 2, 14, theme.strong);
      x += 27;
      say(fresh);
    }
    return y + 10 + (this.frame.mark ? HEAD : 0);
  }

  drawGroup(painter, { group, y, height, lines }, { line, left, now }, width) {
    for (let k = 0; k < lines; k++) painter.rect(left, y + k * line, now - left, line - 1, this.theme.track);
    if (this.isWhole) return;
    painter.text(this.texts.fit(this.groupName(group), NAME_FONT, left - 10), left - 8, y + height / 2, { align: "right" });
    const mean = meanOf(this.frame, group);
    if (mean >= 0) painter.note(`${Math.round(100 * mean)} %`, width - 4, y + height / 2, { align: "right" });
  }

  /** A member's cells, with a stroke where it began to answer; who only learns as yet has none. */
  drawMember(painter, row, { tops, line, left, cell, now }) {
    const { frame, theme } = this, first = frame.first[row], count = frame.cells[row], y = tops.get(frame.group[row]) + frame.seat[row] * line, tall = line - 1, x = left + first * cell;
    if (!count) return;
    painter.context.globalAlpha = this.isDim(frame.id[row]) ? 0.2 : 1;
    painter.mark(row, { x, y, width: frame.left[row] < 0 ? now - x : count * cell, height: line });
    // up to the next cell, so that no seam is seen between them
    for (let k = 0; k < count; k++) painter.rect(x + k * cell, y, cell + 0.4, tall, this.colourOf(frame.cell[this.starts[row] + k]));
    if (first > 0 || frame.born[row] >= frame.end - frame.chunks * frame.step) {
      // where it began, if that is amid its first cell
      const begin = left + clamp(frame.chunks - (frame.end - frame.born[row]) / frame.step, first, first + 0.9) * cell;
      painter.rect(begin - 1.5, y - 0.5, 4, tall + 1, theme.surface);
      painter.rect(begin - 0.5, y - 0.5, 2, tall + 1, theme.strong);
      if (this.hasPlate && row === this.fresh) this.plated = [begin, y + tall / 2];
    }
    // a cross for who was removed, a ring for who was set aside
    const end = endOf(frame, { left, cell }, row), at = Math.min(end + 1 + SIGN, now - SIGN - 1), middle = y + tall / 2;
    if (end === null) return;
    if (frame.aside[row]) painter.ring(at, middle, SIGN, theme.ink, 1.2);
    else painter.links([[at - SIGN, middle - SIGN, at + SIGN, middle + SIGN], [at - SIGN, middle + SIGN, at + SIGN, middle - SIGN]], theme.ink, 1.2);
  }

  /** How many lines have another member soon after the mark, later, and the same still, beside them, and how often those erred after it and do now. */
  nameChanged(painter, { groups: [{ y, lines }], line, now }, width) {
    const { soon, replaced, theme, frame: { step } } = this, x = now + 8, room = width - x - 13, some = (n) => `${n} ${this.noun}${n === 1 ? "" : "s"}`;
    const parts = [
      [0, soon, [`${some(soon)} replaced within ${formatCount(SOON * step)} rows`, `${some(soon)} replaced`], theme.ink],
      [soon, replaced, [`${some(replaced - soon)} replaced later`, `${replaced - soon} later`], theme.muted], [replaced, lines, [`${some(lines - replaced)} kept`], theme.muted],
    ];
    for (const [from, to, texts, colour] of parts) {
      if (from === to || line < NAMED_LINE) continue;
      const [top, bottom] = [y + from * line + 3, y + to * line - 4], middle = (top + bottom) / 2, erred = this.erredOf(from, to);
      const isSaid = erred && bottom - top >= TWO_LINES - 8 && painter.texts.width(erred, NAME_FONT) <= room;
      painter.line([[x, top], [x + 5, top], [x + 5, bottom], [x, bottom]], colour, 1.5);
      painter.text(painter.texts.first(texts, BOLD_FONT, room) ?? "", x + 13, middle - (isSaid ? 9 : 0), { font: BOLD_FONT, colour });
      if (isSaid) painter.text(erred, x + 13, middle + 9, { colour: theme.muted });
    }
  }

  /** How often the members in some lines erred in the chunk of the mark, and in the newest, in words. */
  erredOf(from, to) {
    const { frame } = this, at = Math.floor(frame.chunks - (frame.end - frame.mark.row) / frame.step), last = frame.chunks - 1;
    if (frame.measure !== "right answers" || at >= last) return "";
    const [then, now] = [at, last].map((chunk) => {
      const rows = [...frame.id.keys()].filter((row) => frame.seat[row] >= from && frame.seat[row] < to && chunk >= frame.first[row] && chunk < frame.first[row] + frame.cells[row]);
      return rows.reduce((sum, row) => sum + 1 - frame.cell[this.starts[row] + chunk - frame.first[row]], 0) / rows.length;
    });
    return then >= 0 && now >= 0 ? `erred ${tenths(then)} rows, now ${Math.round(10 * now)}` : "";
  }

  matches(row, query) {
    return this.groupName(this.frame.group[row]).toLowerCase().includes(query) || `${this.idOf(row)}` === query;
  }

  /* --- words ---------------------------------------------------------------------------------------------------- */

  groupName(group) {
    if (this.isWhole) return "";
    return group < 0 ? "all labels" : (this.labels[group] ?? `label ${group}`);
  }

  summarise() {
    if (this.isEmpty) return "";
    const { frame, noun } = this, there = [...frame.id.keys()].filter((row) => frame.left[row] < 0);
    const answer = there.filter((row) => frame.value[row] >= 0), learn = there.length - answer.length;
    const good = answer.reduce((sum, row) => sum + frame.value[row], 0) / answer.length, whose = this.isWhole ? " together" : ` for ${plural(new Set(frame.group).size, "label")}`;
    const yet = learn ? ` ${plural(learn, noun)} only ${learn === 1 ? "learns" : "learn"} as yet.` : "";
    const right = answer.length && frame.measure === "right answers" ? ` In the latest ${formatCount(frame.step)} rows each alone was right for ${percent(good)}, on average.` : "";
    return `${plural(answer.length, noun)} ${answer.length === 1 ? "answers" : "answer"}${whose}.${yet}${right}`;
  }

  nameOf(row) {
    return `${this.idOf(row)}`;
  }

  titleOf(row) {
    return `${this.noun} ${this.idOf(row)}`;
  }

  cells(row) {
    const { frame } = this, now = frame.value[row] >= 0 ? percent(frame.value[row]) : frame.left[row] < 0 ? "only learns as yet" : "–";
    return [this.groupName(frame.group[row]) || "–", now, formatCount(frame.born[row])];
  }

  describe(row) {
    const { title, lines } = super.describe(row), { left, aside } = this.frame;
    return { title, lines: left[row] < 0 ? lines : [...lines, `${aside[row] ? "set aside" : "left"} at row ${formatCount(left[row])}`] };
  }

  tableRows() {
    return super.tableRows().filter((_, row) => this.frame.left[row] < 0);
  }

  stats() {
    return { ...super.stats(), members: this.ids().length, low: this.low };
  }
}

/** Whether another member answers in the place of one that left, at once. */
export function goesOn(frame, row) {
  const next = row + 1, end = frame.first[row] + frame.cells[row];
  return frame.group[next] === frame.group[row] && frame.seat[next] === frame.seat[row] && frame.cells[next] > 0 && frame.first[next] <= end;
}

/**
 * Of one whole ensemble, its lines by when a member first took another's place since the mark, then the others: [each member's line, how many
 * changed soon after it, how many at all].
 */
export function byChange(frame) {
  const when = new Map(Array.from(frame.seat, (seat) => [seat, Infinity])), soon = (frame.mark?.row ?? 0) + SOON * frame.step;
  frame.seat.forEach((seat, i) => { if (frame.mark && frame.left[i] >= frame.mark.row && goesOn(frame, i)) when.set(seat, Math.min(when.get(seat), frame.left[i])); });
  const changed = [...when.keys()].filter((seat) => when.get(seat) < Infinity).sort((a, b) => when.get(a) - when.get(b) || a - b);
  const order = [...changed, ...[...when.keys()].filter((seat) => when.get(seat) === Infinity)];
  return [frame.seat.map((seat) => order.indexOf(seat)), changed.filter((seat) => when.get(seat) <= soon).length, changed.length];
}

/** The member that first took another's place in the first line since the mark; -1: none did. */
export function firstOnTop({ seat, born, cells, mark }) {
  const rows = mark ? [...seat.keys()].filter((row) => seat[row] === 0 && born[row] >= mark.row && cells[row]) : [];
  return rows.reduce((best, row) => (best < 0 || born[row] < born[best] ? row : best), -1);
}

/** Where the sign of a member that left stands, or null: also where another answers in its place at once, which has a stroke. */
export function endOf(frame, { left, cell }, row) {
  if (frame.left[row] < 0 || !frame.cells[row]) return null;
  return goesOn(frame, row) ? null : left + (frame.first[row] + frame.cells[row]) * cell;
}

/** Where each member's cells begin among all cells. */
export function cellStarts(frame) {
  const starts = new Uint32Array(frame.id.length);
  for (let i = 1; i < starts.length; i++) starts[i] = starts[i - 1] + frame.cells[i - 1];
  return starts;
}

/** What the newest chunk says of a group: the mean of those that are there and answer, NaN without one. */
export function meanOf(frame, group) {
  let sum = 0, count = 0;
  for (let i = 0; i < frame.id.length; i++) {
    if (frame.group[i] !== group || frame.left[i] >= 0 || !(frame.value[i] >= 0)) continue;
    sum += frame.value[i];
    count++;
  }
  return sum / count;
}

export const render = renderPicture(EnsembleView);
