// Pictures in a ZIP file, and their labels, read in the visitor's own browser. The server never sees an archive. Names
// are only shown and compared, never used as paths; files are unpacked one at a time, and no further than a picture may
// be long.

const END = 0x06054b50, ENTRY = 0x02014b50, LOCAL = 0x04034b50;
const END_LENGTH = 22, ENTRY_LENGTH = 46, LOCAL_LENGTH = 30;
const LONGEST_COMMENT = 0xffff;
const MOST_DIRECTORY = 8_000_000; // bytes that say what is in it
export const MOST_ENTRIES = 5_000;
export const MOST_BYTES = 20_000_000; // of one picture, unpacked
const STORED = 0, DEFLATED = 8;
const ENCRYPTED = 1, UTF8 = 1 << 11;
const PICTURES = /(\.(png|jpe?g?|jfif|webp|avif|bmp|gif)|(^|\/)[^./]+)$/i; // without an ending, the server tells by its content
const LABELS = /^([^/]+\/)?labels\.csv$/i; // beside the folders, also where all of them lie in one more
const HIDDEN = /(^|\/)(\.[^./\\]|__MACOSX\/)/;

/** @typedef {"damaged" | "many" | "long" | "locked" | "method" | "nested" | "other"} Wrong - why something is left out */
/** @typedef {{name: string, path: string, table: boolean, read: () => Promise<Blob>}} Readable - a picture, or a table of labels */
/** @typedef {{name: string, wrong: Wrong} | Readable & {wrong: null}} Entry */

/** The fault of a whole archive. */
export class ZipError extends Error {
  /** @param {Wrong} wrong */
  constructor(wrong) {
    super(wrong);
    this.wrong = wrong;
  }
}

/**
 * The entries of an archive: its files, without folders and hidden ones. Each picture, and labels.csv, can be read;
 * every other file has a reason against it.
 * @param {Blob} archive
 * @returns {Promise<Entry[]>}
 */
export async function entriesOf(archive) {
  const { count, length, offset } = await endOf(archive);
  if (count > MOST_ENTRIES || length > MOST_DIRECTORY) throw new ZipError("many");
  if (offset + length > archive.size) throw new ZipError("damaged");
  const view = new DataView(await archive.slice(offset, offset + length).arrayBuffer());
  const entries = [];
  for (let at = 0, found = 0; found < count; found += 1) {
    if (at + ENTRY_LENGTH > view.byteLength || view.getUint32(at, true) !== ENTRY) throw new ZipError("damaged");
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const name = nameAt(view, at + ENTRY_LENGTH, nameLength, view.getUint16(at + 8, true));
    if (!name.endsWith("/") && !HIDDEN.test(name)) entries.push(entryAt(archive, view, at, name));
    at += ENTRY_LENGTH + nameLength + extra + comment;
  }
  return entries;
}

/** @param {Blob} archive */
async function endOf(archive) {
  const from = Math.max(0, archive.size - END_LENGTH - LONGEST_COMMENT);
  const view = new DataView(await archive.slice(from).arrayBuffer());
  for (let at = view.byteLength - END_LENGTH; at >= 0; at -= 1) {
    if (view.getUint32(at, true) === END) {
      return { count: view.getUint16(at + 10, true), length: view.getUint32(at + 12, true), offset: view.getUint32(at + 16, true) };
    }
  }
  throw new ZipError("damaged");
}

/** @type {(view: DataView, at: number, length: number, flags: number) => string} */
function nameAt(view, at, length, flags) {
  if (at + length > view.byteLength) throw new ZipError("damaged");
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length);
  return new TextDecoder(flags & UTF8 ? "utf-8" : "latin1").decode(bytes);
}

// The folder that a picture lies in may be its class, and a table may name all of them; nothing is ever written there.
/** @param {string} path */
function partsOf(path) {
  return path.split(/[/\\]/).filter((part) => !["", ".", ".."].includes(part));
}

/** @type {(archive: Blob, view: DataView, at: number, listed: string) => Entry} */
function entryAt(archive, view, at, listed) {
  const parts = partsOf(listed), path = parts.join("/"), name = parts.slice(-2).join("/"), table = LABELS.test(path);
  const method = view.getUint16(at + 10, true), packed = view.getUint32(at + 20, true), offset = view.getUint32(at + 42, true);
  if (/\.zip$/i.test(name)) return { name, wrong: "nested" };
  if (!table && !PICTURES.test(name)) return { name, wrong: "other" };
  if (view.getUint16(at + 8, true) & ENCRYPTED) return { name, wrong: "locked" };
  if (method !== STORED && method !== DEFLATED) return { name, wrong: "method" };
  if (packed > MOST_BYTES) return { name, wrong: "long" };
  return { name, path, table, wrong: null, read: () => unpacked(archive, offset, packed, method) };
}

/** @type {(archive: Blob, offset: number, packed: number, method: number) => Promise<Blob>} */
async function unpacked(archive, offset, packed, method) {
  const head = new DataView(await archive.slice(offset, offset + LOCAL_LENGTH).arrayBuffer());
  if (head.byteLength < LOCAL_LENGTH || head.getUint32(0, true) !== LOCAL) throw new ZipError("damaged");
  const begun = offset + LOCAL_LENGTH + head.getUint16(26, true) + head.getUint16(28, true);
  const bytes = archive.slice(begun, begun + packed);
  if (bytes.size < packed) throw new ZipError("damaged");
  return method === STORED ? bytes : inflated(bytes);
}

// Unpack while counting the bytes: an archive may claim any length of them.
/** @param {Blob} bytes */
async function inflated(bytes) {
  const reader = bytes.stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => { throw new ZipError("damaged"); });
    if (done) return new Blob(parts);
    length += value.byteLength;
    if (length > MOST_BYTES) {
      await reader.cancel().catch(() => {});
      throw new ZipError("long");
    }
    parts.push(value);
  }
}
