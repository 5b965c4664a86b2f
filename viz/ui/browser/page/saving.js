// Files that the page makes, saved to the visitor's machine.

import { element } from "../maps/mosaic.js";

const SAVED_MS = 60_000; // a browser may ask first, and read the file afterwards, as Safari does

/** @type {(file: Blob, name: string) => void} */
export function saveFile(file, name) {
  const link = Object.assign(element("a"), { href: URL.createObjectURL(file), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS);
}
