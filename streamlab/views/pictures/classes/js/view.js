/* The class view: how common each class is now against the whole stream; no two come together, so that there is no matrix. Rows are classes. */
import { renderPicture } from "../../../kit/js/panel.js";
import { formatPercent } from "../../../kit/js/format.js";
import { LabelView } from "../../labels/js/view.js";

class ClassView extends LabelView {
  static noun = "class";

  static about = {
    ...LabelView.about, empty: "No class yet: press play", title: "Classes now and over the whole stream", role: "bars of classes", noun: "class", find: "Find a class",
    keys: "Classes. Up and down move between them, Enter selects.",
    table: { label: "Table of the classes", caption: "One row per class.", heads: ["Class", "Now", "Whole stream", "Difference, points"] },
  };

  countOf(names) {
    return names;
  }

  picture(painter, width) {
    return this.drawList(painter, width, this.marked().map(([row]) => row), true) + 2;
  }

  matches(row, query) {
    return this.names[row].toLowerCase().includes(query);
  }

  describe(row) {
    const [now, whole] = [this.frame.recent, this.frame.whole].map((shares) => formatPercent(shares[row]));
    return { title: this.names[row], lines: [`${now} of the latest rows, ${whole} of all`] };
  }

  together() {
    return [];
  }
}

export const render = renderPicture(ClassView);
