/* Families of pictures: of rows with parents, and of a stream's rows with their labels. */
import { CanvasView, NARROW } from "./canvas_view.js";
import { chooser, element, offer } from "./dom.js";

/** C and a double click fold or unfold; whoever sends the frames does it. A frame has the columns `parent` and `collapsed`. */
export class FoldingView extends CanvasView {
  acts(row) {
    const fold = () => {
      this.moveCursor(row);
      if (!this.collapse(row)) this.say("Nothing to fold here.");
    };
    return { c: fold, C: fold };
  }

  clicked(hit, event) {
    if (event.detail !== 2 || !hit) return false;
    // the first of the two clicks has selected, or let go
    if (this.selected !== hit.id) this.choose(hit.id);
    this.collapse(this.rowOf(hit.id));
    return true;
  }

  /** Folds what is below a row, or unfolds it; returns whether there is anything. */
  collapse(row) {
    const canFold = row >= 0 && (this.frame.parent.indexOf(row) >= 0 || Boolean(this.frame.collapsed[row]));
    if (canFold) this.onMessage({ kind: "collapse", id: this.frame.id[row] });
    return canFold;
  }
}

export const NARROW_HEIGHT = 340;
/** Beyond so many a list of labels is cut short. */
const MOST_NAMED = 6;

const bytesOf = (frame) => Math.ceil(frame.n_labels / 8);

/** Whether a row of a frame has a label. */
export function has(frame, row, label) {
  return Boolean(frame.bits[row * bytesOf(frame) + (label >> 3)] & (1 << (label & 7)));
}

/** Whether two rows have the same labels, all of them. */
export function hasAll(frame, row, other) {
  const bytes = bytesOf(frame);
  for (let i = 0; i < bytes; i++) if (frame.bits[row * bytes + i] !== frame.bits[other * bytes + i]) return false;
  return true;
}

export const labelsOf = (frame, row) => Array.from({ length: frame.n_labels }, (_, k) => k).filter((k) => has(frame, row, k));

export class LabelledView extends CanvasView {
  static parameters = ["label"];

  static css = `
.sl-in-colour{display:inline-flex;gap:8px;align-items:center;font-size:13px;color:var(--sl-muted);min-width:0}
.sl-in-colour select{font-size:13px;color:var(--sl-text);background:var(--sl-paper);height:30px;max-width:200px;padding:0 6px;
  border:1px solid var(--sl-control);border-radius:6px}
`;

  /** What can be in colour: [value, words] each. */
  choices() {
    return Array.from({ length: this.frame?.n_labels ?? this.labels.length }, (_, k) => [k, this.name(k)]);
  }

  /** What is said when another label, or what else is offered, is in colour. */
  saysColour(label) {
    return `${this.name(label)} is in colour.`;
  }

  /** Shows which label is in colour. */
  showLabel() {
    this.chooser.value = String(this.label);
  }

  /** Is called when there are other choices. */
  renamed() {}

  name(k) {
    return this.labels[k] ?? `label ${k}`;
  }

  /** The control that chooses, under this name, with what stands before its list. */
  chooserOf(title, name, ...before) {
    this.chooser = chooser(name, [], (value) => this.colour(Number(value)));
    return element("label", { class: "sl-in-colour" }, [title, ...before, this.chooser]);
  }

  changed() {
    this.takeNames();
    this.showLabel();
  }

  takeNames() {
    if (!offer(this.chooser, this.choices(), this.label)) return;
    this.renamed();
    this.showLabel();
  }

  /** The user's choice of what is in colour. */
  colour(label) {
    if (label === this.label) return;
    this.set("label", label);
    this.onChange("label", label);
    this.say(this.saysColour(label));
    this.showTip();
  }

  acts() {
    const values = this.choices().map(([value]) => value);
    const turn = (by) => this.colour(values[(values.indexOf(this.label) + by + values.length) % values.length]);
    return { PageDown: () => turn(1), PageUp: () => turn(-1) };
  }

  layOut(width) {
    const isNarrow = width < NARROW, height = isNarrow ? Math.min(this.tall, NARROW_HEIGHT) : this.tall;
    this.painter.fit(width, height, isNarrow);
    return height;
  }

  matches(row, query) {
    return labelsOf(this.frame, row).some((k) => this.name(k).toLowerCase().includes(query));
  }

  /** Labels in words. */
  list(labels, most = MOST_NAMED) {
    const names = [...labels].map((k) => this.name(k));
    const more = names.length > most ? ` and ${names.length - most} more` : "";
    return names.length ? `${names.slice(0, most).join(", ")}${more}` : "none";
  }
}
