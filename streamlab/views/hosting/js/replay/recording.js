/*
 * The data of a replay: what streamlab.views.hosting.replay_source wrote, read back.
 *
 * Deflated: the length of the head, the head as JSON, then one buffer with all arrays. A picture's columns lie in it byte plane by
 * byte plane over all its frames; a frame is put together again as the live page's server would have sent it.
 */
import { lastUpTo } from "../../../kit/js/numbers.js";
import { ARRAY_TYPES } from "../../../kit/js/panel.js";

const HEAD_LENGTH = 4;

/** Bytes out of base64 text. */
function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

/** @returns {Promise<Recording>} what the base64 text holds */
export async function readRecording(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const buffer = await new Response(stream).arrayBuffer();
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, HEAD_LENGTH, length)));
  return new Recording(head, buffer, HEAD_LENGTH + length);
}

class Recording {
  constructor(head, buffer, start) {
    Object.assign(this, { head, buffer, start });
    this.pictures = head.pictures.map((picture) => ({ ...picture, slots: picture.slots.map((slot) => new Slot(this, slot)) }));
    // `whole`: by measure, what the last point and the one before say together, where the last is of few rows; `levels`: by
    // measure, what the learner had before each drift
    this.curves = head.curves.map(({ positions, values, whole, levels }) => ({
      positions: this.array(positions), whole, levels,
      values: values.map((ref) => this.array(ref)),
    }));
  }

  /** By measure: from which rows on which text is told. */
  get stories() {
    this.told ??= this.head.stories.map(({ at, text }) => ({ at: this.array(at), text: this.array(text) }));
    return this.told;
  }

  array([type, offset, length]) {
    return new ARRAY_TYPES[type](this.buffer, this.start + offset, length);
  }
}

/** What one picture drew of one learner (`learner`: its place, or -1 for all). */
class Slot {
  constructor(recording, { learner, columns, frames }) {
    Object.assign(this, { recording, learner, columns, frames });
    this.positions = frames.map(([at]) => at);
    const used = columns.map(() => 0);
    // where each frame's rows begin in each of its columns
    this.begins = frames.map(([, , , parts]) => parts.map(([column, length]) => {
      const begin = used[column];
      used[column] += length;
      return begin;
    }));
  }

  /** The place of the frame to be seen at a position, or -1. */
  at(position) {
    return lastUpTo(this.positions, position);
  }

  /** The parameters of the component at a frame: those that changed, up to it. */
  parameters(place) {
    const found = {};
    for (let i = 0; i <= place; i++) this.change(found, i);
    return found;
  }

  /** What a frame changes of the parameters: a value, or what is added to a list. */
  change(parameters, place) {
    for (const [name, [how, value]] of Object.entries(this.frames[place][2])) {
      parameters[name] = how === "append" ? [...parameters[name], ...value] : value;
    }
  }

  /** A frame as PictureView sends it: header, spec and buffer. */
  frame(place) {
    const [, header, , parts] = this.frames[place];
    const spec = parts.map(([column, length]) => {
      const [name, type, scale] = this.columns[column];
      return [name, type, length, scale];
    });
    const size = spec.reduce((sum, [, type, length]) => sum + Number(type[1]) * length, 0);
    const bytes = new Uint8Array(size);
    let at = 0;
    parts.forEach(([column, length], i) => {
      const [, type, , offset, rows] = this.columns[column];
      const width = Number(type[1]);
      const planes = new Uint8Array(this.recording.buffer, this.recording.start + offset, width * rows);
      const begin = this.begins[place][i];
      for (let plane = 0; plane < width; plane++) {
        const from = plane * rows + begin;
        for (let row = 0; row < length; row++) bytes[at + row * width + plane] = planes[from + row];
      }
      at += width * length;
    });
    return { kind: "frame", number: place, ...header, spec, buffer: bytes.buffer };
  }
}
