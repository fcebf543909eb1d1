/* Pictures of rows with parents, in which what is below a row can be folded. */
import { CanvasView } from "./canvas_view.js";

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
