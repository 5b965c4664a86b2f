// The colours of a mosaic, from its file: private windows change what a canvas tells.
// Source: PNG specification, third edition, sections 5.3, 7.2 and 11.2.

const SIGNATURE = 8, AROUND = 12; // bytes in front of the chunks, and of a chunk beside its data
const COLOUR_TYPE = 25, PALETTE = 3;

/**
 * Read the pixels of a PNG file of Layerglass's, whose rows have no filter; the file in base64.
 * @type {(png: string) => Promise<(x: number, y: number) => string>}
 */
export async function coloursIn(png) {
  const file = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const chunks = chunksOf(file);
  const width = new DataView(file.buffer).getUint32(16);
  const packed = new Blob(chunks.filter(({ name }) => name === "IDAT").map(({ data }) => data));
  const rows = new Uint8Array(await new Response(packed.stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
  const palette = file[COLOUR_TYPE] === PALETTE ? chunks.find(({ name }) => name === "PLTE")?.data : null;
  const each = palette ? 1 : 4;
  return (x, y) => {
    const at = y * (1 + each * width) + 1 + each * x;
    return hex(palette ? palette.subarray(3 * rows[at], 3 * rows[at] + 3) : rows.subarray(at, at + 3));
  };
}

/** @param {Uint8Array<ArrayBuffer>} file */
function chunksOf(file) {
  const view = new DataView(file.buffer), chunks = [];
  for (let at = SIGNATURE; at < file.length; at += AROUND + view.getUint32(at)) {
    chunks.push({ name: String.fromCharCode(...file.subarray(at + 4, at + 8)), data: file.subarray(at + 8, at + 8 + view.getUint32(at)) });
  }
  return chunks;
}

/** @param {Uint8Array} colour */
function hex(colour) {
  return [...colour].map((part) => part.toString(16).padStart(2, "0")).join("");
}
