/* Frames as they arrive. */
export const ARRAY_TYPES = {
  f8: Float64Array, f4: Float32Array, u4: Uint32Array, i4: Int32Array, u2: Uint16Array, i2: Int16Array, u1: Uint8Array,
};

/**
 * Columns out of one binary buffer, as streamlab.views.kit.columns.pack wrote them, widest items first (hence aligned).
 * @param {Array<[string, string, number, number|string[]]>} spec name, item type, length and scale of each column, in order. A
 *   column with a scale other than 1 is divided by it (shares travel as 16-bit fixed point). Names in the scale's place are those
 *   of flags, lowest bit first: each becomes a column of its own, 0 or 1
 * @param {ArrayBuffer} buffer little-endian, as every browser platform is
 */
export function unpack(spec, buffer) {
  const columns = {};
  let offset = 0;
  for (const [name, type, length, scale] of spec) {
    const raw = new ARRAY_TYPES[type](buffer, offset, length);
    if (Array.isArray(scale)) scale.forEach((flag, bit) => { columns[flag] = Uint8Array.from(raw, (bits) => (bits >> bit) & 1); });
    else columns[name] = scale === 1 ? raw : Float32Array.from(raw, (item) => item / scale);
    offset += raw.byteLength;
  }
  return columns;
}
