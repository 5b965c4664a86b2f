// A lesson as a file, saved to the machine and opened from there. It goes to no server.

import { element } from "../maps/mosaic.js";
import { saveFile } from "../page/saving.js";
import { LONGEST_FILE } from "../plan/reading.js";

const BYTES = 4 * LONGEST_FILE; // a letter has at most four

/** @type {(text: string, title: string) => void} */
export function saveLesson(text, title) {
  saveFile(new Blob([text], { type: "text/markdown" }), fileName(title));
}

/** A name that every system takes, in any language. @param {string} title */
export function fileName(title) {
  const name = title.trim().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60);
  return `${name || "lesson"}.md`;
}

/** The text that the visitor chooses; null if it is no text. @type {(chosen: (text: ?string, name: string) => void) => void} */
export function openFile(chosen) {
  const input = Object.assign(element("input"), { type: "file", accept: ".md,.txt,text/markdown,text/plain", hidden: true });
  input.oncancel = () => input.remove();
  input.onchange = async () => {
    input.remove();
    const file = input.files?.[0];
    if (file) chosen(await textOf(file), file.name);
  };
  document.body.append(input); // Safari may forget one that stands nowhere, and its answer
  input.click();
}

/** @param {Blob} file */
export async function textOf(file) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.slice(0, BYTES).arrayBuffer());
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
