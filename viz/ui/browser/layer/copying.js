// The view as text to copy: its link, and the script that makes it.

import { asPrinted } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { refusal, withMore } from "../maps/said.js";
import { saveFile } from "../page/saving.js";

const CONFIRMED_MS = 2500;

export class Copying {
  /** @type {Words} */
  words = {};

  /** @type {{parts: (string | HTMLElement)[], key: string | undefined, at: number} | undefined} */
  said;

  /** @param {import("./viewer.js").LayerView} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.parts = viewer.parts;
    this.parts.link.onclick = () => this.copyLink();
    this.parts.code.onclick = () => this.copyCode();
  }

  /** @param {Words} words */
  draw(words) {
    this.sayAgain();
    if (words.language_code === this.words.language_code) return;
    this.words = words;
    this.parts.link.textContent = words.copy_link;
    this.parts.code.textContent = words.copy_code;
  }

  // The page's address restores the view. It never holds what the visitor brought, and the page says so.
  async copyLink() {
    const { words } = this;
    this.viewer.stage.address?.write();
    const link = new URL(window.location.href);
    const kept = [
      ...(link.searchParams.has("sample") ? [] : [words.link_private]),
      ...(this.viewer.look.edit.includes(":own_") ? [words.link_donor] : []),
      ...(link.searchParams.has("weights") ? [] : [words.link_weights]), // only own weights are left out of a link
    ];
    const done = await toClipboard(link.href);
    this.tell(this.parts.link, done, kept.join(" ") || words.link_copied, words.copy_link);
  }

  async copyCode() {
    const { words } = this;
    try {
      this.tell(this.parts.code, await toClipboard(this.script()), words.code_copied, words.copy_code);
    } catch (refused) {
      this.say(partsOf(refused, words));
    }
  }

  // The script as a file; a refusal is a sentence on the page, not a file.
  async saveCode() {
    let text;
    try {
      text = await this.script();
    } catch (refused) {
      return this.say(partsOf(refused, this.words));
    }
    const { data: { model }, layer, call } = this.viewer;
    saveFile(new Blob([text], { type: "text/x-python" }), `${model}-${layer}-call${call + 1}.py`.replace(/[^\w.-]+/g, "-"));
  }

  // Text of the script, or an error with the sentence that says why there is none.
  async script() {
    const { page } = this.viewer;
    if (!page) throw new Error(filled(this.viewer.words.maps_coming, { layer: this.viewer.layer }));
    if (page.live) throw new Error(this.words.freeze_first);
    return scriptAt(asPrinted(page, "code.py"), this.words);
  }

  /** @type {(button: HTMLElement, done: boolean, sentence: string, label: string) => void} */
  tell(button, done, sentence, label) {
    this.say(done ? [sentence] : notCopied(this.words));
    if (!done) return;
    button.textContent = this.words.copied;
    setTimeout(() => { button.textContent = label; }, CONFIRMED_MS);
  }

  /** @param {(string | HTMLElement)[]} parts */
  say(parts) {
    this.said = { parts, key: this.viewer.page?.query, at: performance.now() };
    this.parts.status.replaceChildren(...parts);
  }

  // A long sentence takes room from the maps, which are then drawn again together with their facts.
  sayAgain() {
    if (!this.said) return;
    const { parts, key, at } = this.said;
    if (key && key === this.viewer.page?.query && performance.now() - at < CONFIRMED_MS) this.parts.status.replaceChildren(...parts);
  }
}

// Text of a script, or an error with the sentence that says why there is none.
/** @type {(address: string, words: Words) => Promise<string>} */
export async function scriptAt(address, words) {
  /** @type {Answer} */
  let refused = { error: words.lost };
  try {
    const answer = await fetch(address);
    if (answer.ok) return await answer.text();
    refused = await answer.json();
  } catch { /* the server is gone */ }
  throw new Error(refused.error, { cause: refused });
}

/** The words of such an error. @type {(refused: unknown, words: Words) => (string | HTMLElement)[]} */
export function partsOf(refused, words) {
  const { message, cause } = /** @type {Error} */ (refused);
  return refusal(/** @type {Answer} */ (cause ?? { error: message }), words);
}

/** @param {Words} words */
export function notCopied(words) {
  return withMore(words.copy_failed, "save-and-share#copying-does-not-work-what-now", words);
}

// Copy a text. One that is still coming must be handed over within the click: Safari lets a page copy only there.
/** @param {string | Promise<string>} text */
export async function toClipboard(text) {
  try {
    await (typeof text === "string" ? navigator.clipboard.writeText(text) : navigator.clipboard.write([itemOf(text)]));
    return true;
  } catch {
    return copiedBySelection(await text);
  }
}

/** @param {Promise<string>} text */
function itemOf(text) {
  const coming = text.then((come) => new Blob([come], { type: "text/plain" }));
  coming.catch(() => {}); // whoever waits for the text hears that none came
  return new ClipboardItem({ "text/plain": coming });
}

// A page without https has no clipboard, but selected text can still be copied; where a modal dialog is open, only in it.
/** @param {string} text */
function copiedBySelection(text) {
  const before = document.activeElement;
  const area = element("textarea", "lg-aside");
  area.value = text;
  ([...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
}
