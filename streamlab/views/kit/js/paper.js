/* A picture on paper: what stands on the canvas, with its title, as a file of SVG or of PNG. */
import { Context } from "svgcanvas/dist/svgcanvas.esm.js";
import { button, element } from "./dom.js";
import { formatCount } from "./format.js";
import { FONT } from "./text.js";

const MARGIN = 20, TITLE = 26, LINE = 19, GAP = 10, PNG_RATIO = 2, MOST_NAME = 80;
const TITLE_FONT = `600 17px ${FONT}`, TEXT_FONT = `13px ${FONT}`;

/** A file's name of what is known and of names from outside: letters, digits and hyphens alone. */
export function fileName(parts, ending) {
  const plain = parts.map(String).join("-").normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "-").slice(0, MOST_NAME).replace(/^-+|-+$/g, "");
  return `${plain || "picture"}.${ending}`;
}

/** Gives the browser a file to keep. */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The words in lines that are at most so wide. */
function wrapped(context, text, font, width) {
  context.font = font;
  const lines = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && context.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/**
 * A sheet: title, words and drawing, one below the other.
 * @param {object} sheet title; words: sentences; width, height: of the drawing; theme;
 *   paint: (context, ratio) => void draws on a context of its own
 * @param {"svg" | "png"} kind
 * @returns {Promise<Blob>}
 */
export async function onPaper({ title, words, width, height, theme, paint }, kind) {
  const ratio = kind === "png" ? PNG_RATIO : 1;
  const ruler = document.createElement("canvas").getContext("2d");
  const titles = wrapped(ruler, title, TITLE_FONT, width);
  const lines = words.flatMap((text) => wrapped(ruler, text, TEXT_FONT, width));
  const top = MARGIN + titles.length * TITLE + lines.length * LINE + GAP;
  const [W, H] = [width + 2 * MARGIN, top + height + MARGIN];
  const [sheet, drawing] = [[W, H], [width, height]].map((size) => contextOf(kind, size, ratio));
  sheet.setTransform(ratio, 0, 0, ratio, 0, 0);
  sheet.fillStyle = theme.surface;
  sheet.fillRect(0, 0, W, H);
  sheet.textAlign = "left";
  sheet.textBaseline = "alphabetic";
  let y = MARGIN;
  const write = (texts, font, colour, step) => {
    sheet.font = font;
    sheet.fillStyle = colour;
    for (const text of texts) sheet.fillText(text, MARGIN, (y += step) - 5);
  };
  write(titles, TITLE_FONT, theme.ink, TITLE);
  write(lines, TEXT_FONT, theme.muted, LINE);
  paint(drawing, ratio);
  if (kind === "svg") return new Blob([joined(sheet, drawing, MARGIN, top, [W, H], title)], { type: "image/svg+xml" });
  sheet.setTransform(1, 0, 0, 1, 0, 0);
  sheet.globalAlpha = 1;
  sheet.drawImage(drawing.canvas, MARGIN * ratio, top * ratio);
  return new Promise((resolve, reject) => {
    sheet.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large for a PNG"))), "image/png");
  });
}

function contextOf(kind, [width, height], ratio) {
  if (kind === "svg") return Object.assign(new Context(width, height), { isVector: true });
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  return canvas.getContext("2d");
}

/** One document of the sheet with the drawing in its place. */
function joined(sheet, drawing, x, y, [width, height], title) {
  const outer = sheet.getSvg(), inner = drawing.getSvg();
  for (const [name, value] of [["x", x], ["y", y], ["overflow", "hidden"]]) inner.setAttribute(name, value);
  outer.append(inner);
  outer.setAttribute("viewBox", `0 0 ${width} ${height}`);
  outer.setAttribute("role", "img");
  outer.setAttribute("aria-label", title);
  return new XMLSerializer().serializeToString(outer);
}

/** A view as it stands, as {blob, name}. */
export async function paperOf(view, kind) {
  const { subject, now } = view.frame ?? {};
  const { theme, width, height } = view;
  const of = subject ? `: ${subject}` : "", at = now ? `, after ${formatCount(now)} rows` : "";
  const blob = await onPaper({
    title: `${view.about.title}${of}${at}`, words: view.paperWords(), width, height, theme,
    paint: (context, ratio) => view.drawOn(context, ratio),
  }, kind);
  return { blob, name: fileName(["streamlab", view.about.title, subject ?? "", now ?? 0], kind) };
}

/** Buttons that give the picture to keep. */
export function paperButtons(view) {
  const buttons = ["svg", "png"].map((kind) => {
    const name = `Save the picture as ${kind.toUpperCase()}`;
    return button(kind.toUpperCase(), async () => {
      if (view.isEmpty) {
        view.say("There is no picture yet.");
        return;
      }
      try {
        const { blob, name: file } = await paperOf(view, kind);
        download(blob, file);
        view.say(`The picture was saved as ${file}.`);
      } catch (error) {
        view.say(`The picture cannot be saved: ${error.message}`);
      }
    }, { "aria-label": name, title: name });
  });
  return element("div", { class: "sl-segments sl-paper", role: "group", "aria-label": "Save the picture" }, buttons);
}
