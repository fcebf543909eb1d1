/*
 * Choose or drop files: they go to the server in pieces, a few on their way at a time, and what has arrived is shown. What becomes of
 * them there is said by the server, in the same place.
 */
import { button, element, setText } from "../../kit/js/dom.js";
import { renderPart } from "../../kit/js/panel.js";

const PIECE = 1 << 20;
/** Bytes that may be on their way: enough for a slow line, and the page answers in between. */
const AHEAD = 4 << 20;

const CSS = `
.sl-upload .sl-drop{display:flex;align-items:center;justify-content:center;gap:6px;min-height:32px;padding:2px 8px;cursor:pointer;
  border:1px dashed var(--sl-control);border-radius:4px;color:var(--sl-accent);font-size:13px;text-align:center}
.sl-upload .sl-drop:hover,.sl-upload .sl-over{background:var(--sl-track)}
.sl-upload .sl-over{border-style:solid;border-color:var(--sl-accent)}
.sl-upload .sl-drop:focus-within{outline:2px solid var(--sl-accent);outline-offset:2px}
.sl-upload .sl-drop input{position:absolute;width:1px;height:1px;opacity:0;overflow:hidden}
.sl-upload .sl-going{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:4px 10px;align-items:center;margin-top:8px}
.sl-upload .sl-going[hidden]{display:none}
.sl-upload .sl-going span{overflow-wrap:anywhere}
.sl-upload progress{width:100%;accent-color:var(--sl-accent);grid-column:1}
.sl-upload .sl-going button{grid-column:2;min-height:30px;padding:0 10px;border:1px solid var(--sl-control);border-radius:6px;background:none;
  color:var(--sl-text);cursor:pointer}
`;

const megabytes = (bytes) => (bytes < 1e7 ? (bytes / 1e6).toFixed(1) : Math.round(bytes / 1e6).toLocaleString("en"));

export const render = renderPart(({ view: panel, send, signal }) => {
  const input = element("input", { type: "file", multiple: true });
  const name = element("span", { text: "Upload a stream" });
  const drop = element("label", { class: "sl-drop", title: "Choose a file, or drop one anywhere on the page" }, [name, input]);
  const what = element("span", { class: "sl-muted", role: "status" });
  const count = element("span", { class: "sl-muted" });
  const bar = element("progress", { max: "1", "aria-label": "Upload" });
  const cancel = button("Cancel", () => {
    send({ kind: "cancel" });
    stop();
    input.focus();
  });
  const going = element("div", { class: "sl-going", hidden: true }, [what, count, bar, cancel]);
  const view = element("div", { class: "sl-view sl-upload" }, [drop, going]);
  const on = (node, type, act) => node.addEventListener(type, act, { signal });
  // what the server says of an upload of an earlier page is of no concern to this one
  let upload = Math.floor(Math.random() * 2 ** 40);
  let files = [];
  let total = 0;
  let sent = 0;
  let received = 0;
  let pumping = false;
  let frame = { state: "idle", busy: "", share: null };

  function draw() {
    const isGoing = files.length > 0;
    const names = files.length === 1 ? files[0].name : `${files.length} files`;
    going.hidden = !isGoing && !frame.busy;
    setText(what, isGoing ? `Uploading ${names}` : frame.busy);
    setText(count, isGoing ? `${megabytes(received)} of ${megabytes(total)} MB` : "");
    const share = isGoing ? received / (total || 1) : frame.share;
    if (share == null) bar.removeAttribute("value");
    else bar.value = share;
    cancel.hidden = !isGoing;
  }

  function choose(chosen) {
    files = [...chosen];
    if (!files.length) return;
    upload += 1;
    total = files.reduce((sum, file) => sum + file.size, 0);
    sent = received = 0;
    send({ kind: "files", upload, files: files.map((file) => [file.name, file.size]) });
    draw();
  }

  function stop() {
    files = [];
    // the same file may be chosen again, as it was mended in the meantime
    input.value = "";
    draw();
  }

  /** The next piece, which ends with its file. */
  function piece() {
    let at = sent;
    for (const file of files) {
      if (at < file.size) return file.slice(at, Math.min(at + PIECE, file.size));
      at -= file.size;
    }
    return null;
  }

  async function pump() {
    if (pumping) return;
    pumping = true;
    const mine = upload;
    try {
      while (files.length && upload === mine && sent < total && sent - received < AHEAD) {
        const data = await piece().arrayBuffer();
        if (!files.length || upload !== mine) break;
        sent += data.byteLength;
        send({ kind: "piece", upload, data });
      }
    } catch (error) {
      send({ kind: "cancel" });
      stop();
      frame = { ...frame, busy: `The browser cannot read the file: ${error.message}`, share: 0 };
      draw();
    }
    pumping = false;
    // another upload may have begun while the last piece was read
    if (upload !== mine && files.length) pump();
  }

  function update(next) {
    frame = next;
    view.classList.toggle("sl-dark", next.dark);
    if (input.accept !== next.accept) input.accept = next.accept;
    if (files.length && next.upload === upload) {
      received = next.received;
      if (next.state === "going") pump();
      else stop();
    }
    draw();
  }

  const holds = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  on(input, "change", () => choose(input.files));
  // a file that is dropped beside it would take the place of the page
  for (const type of ["dragenter", "dragover"]) {
    on(window, type, (event) => {
      if (!holds(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      drop.classList.add("sl-over");
    });
  }
  on(window, "dragleave", (event) => { if (!event.relatedTarget) drop.classList.remove("sl-over"); });
  on(window, "drop", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    drop.classList.remove("sl-over");
    choose(event.dataTransfer.files);
  });

  panel?.model?.document?.on_event?.("client_reconnected", () => {
    if (!files.length) return;
    stop();
    frame = { ...frame, busy: "The connection was lost: choose the file once more.", share: 0 };
    draw();
  });

  return { box: view, css: CSS, update };
});
