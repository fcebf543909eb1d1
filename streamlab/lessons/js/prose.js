/* Text of a lesson: trees of a few tags become nodes, and nothing is parsed as HTML. */
import { element } from "../../views/kit/js/dom.js";

const TAGS = new Set(["p", "ul", "ol", "li", "strong", "em", "a", "br", "code", "blockquote"]);
const SAFE = /^(https:\/\/|[a-z_]+(\?|$))/;

function build(tree) {
  if (typeof tree === "string") return document.createTextNode(tree);
  const [tag, { href }, ...children] = tree;
  if (!TAGS.has(tag)) return document.createTextNode("");
  const node = element(tag, {}, children.map(build));
  if (tag === "a" && SAFE.test(href ?? "")) {
    node.setAttribute("href", href);
    if (href.startsWith("https:")) for (const [name, value] of [["target", "_blank"], ["rel", "noopener noreferrer"]]) node.setAttribute(name, value);
  }
  return node;
}

/** Puts a text into a node, in place of what it has. */
export function fill(node, trees) {
  node.replaceChildren(...trees.map(build));
}
