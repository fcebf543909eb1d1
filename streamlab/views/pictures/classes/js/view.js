/* The class view: how common each class is now against the whole stream; no two come together, so that there is no matrix. */
import { element } from "../../../kit/js/dom.js";
import { renderPicture } from "../../../kit/js/panel.js";
import { LabelView } from "../../labels/js/view.js";

class ClassView extends LabelView {
  static noun = "class";

  static about = {
    ...LabelView.about, empty: "No class yet: press play", title: "Classes now and over the whole stream", find: "Find a class",
    table: { label: "Table of the classes", caption: "One row per class.", left: [], heads: ["Class", "Now", "Whole stream", "Difference, points"] },
  };

  arrange() {
    const parts = super.arrange();
    this.halves.lastElementChild.remove();
    this.halves.append(element("div", { hidden: true }, [this.stage]));
    return [element("div", { class: "sl-bar-row" }, [this.sorts.node]), ...parts.slice(1)];
  }

  accept(frame, before, now) {
    super.accept(frame, before, now);
    this.list.setHeight(this.tall - 12);
  }

  tableRows() {
    return super.tableRows().map((row) => ({ ...row, cells: row.cells.slice(0, 3) }));
  }
}

export const render = renderPicture(ClassView);
