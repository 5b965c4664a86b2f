// Upload of the visitor's own pictures, one file after another, also from ZIP files. Behind them come the tables of
// their classes.

import { addressOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { said, withMore } from "../maps/said.js";
import { asked, BUG } from "../page/asking.js";
import { entriesOf, ZipError } from "./zip.js";

const MOST_BYTES = 500_000; // that one picture is sent as: a larger one is made smaller here
const MOST_TABLE = 500_000; // of a table of labels; of a larger one enough is sent for the server to refuse it
const LONGEST_PATH = 200;
const LONGEST_SIDE = 1280;
const QUALITY = 0.9;
const BUSY = 429, AGAIN_MS = 800, TRIES = 8;

/** @typedef {{name: string, reason: string}} LeftOut */
/** @typedef {import("./zip.js").Readable} Readable */

export class Bring {
  /** @type {LeftOut[]} */
  leftOut = [];

  taken = 0;
  labelled = 0; // pictures that a table names
  busy = false;
  full = ""; // why no more are taken
  unsent = 0; // after that, or after it was cancelled
  cancelled = false;

  /**
   * @param {StagePage} stage
   * @param {() => void} changed
   */
  constructor(stage, changed) {
    this.stage = stage;
    this.changed = changed;
    this.root = element("div", "lg-bring");
    this.label = element("label", "lg-bring-choose");
    this.text = element("span");
    this.input = element("input");
    Object.assign(this.input, { type: "file", multiple: true, accept: ".zip,.csv,image/*" });
    this.input.onchange = () => this.take([...(this.input.files ?? [])]);
    this.label.append(this.text, this.input);
    this.cancel = element("button", "lg-bring-cancel");
    Object.assign(this.cancel, { type: "button", hidden: true, onclick: () => { this.cancelled = true; } });
    this.status = element("p", "lg-bring-status");
    this.status.setAttribute("role", "status");
    this.list = element("ul", "lg-bring-left");
    this.root.append(this.label, this.cancel, this.status, this.list);
  }

  get words() {
    return this.stage.data.words;
  }

  // Of no use while a class shows its teacher's subject: what is brought is looked through for one's own.
  name() {
    this.root.hidden = this.stage.shared !== null;
    this.text.textContent = this.words.exemplars_choose;
    this.label.title = this.words.exemplars_choose_help;
    this.cancel.textContent = this.words.exemplars_cancel;
  }

  /** @param {File[]} files */
  async take(files) {
    if (!files.length || this.busy) return;
    Object.assign(this, { leftOut: [], taken: 0, labelled: 0, busy: true, full: "", unsent: 0, cancelled: false });
    this.label.classList.add("lg-busy");
    this.cancel.hidden = false;
    try {
      const brought = (await Promise.all(files.map((file) => this.broughtBy(file)))).flat();
      await this.sendAll(brought.filter(({ table }) => !table));
      for (const table of brought.filter((each) => each.table)) if (!this.cancelled) await this.sendTable(table);
    } finally {
      const focused = this.cancel.matches(":focus");
      this.busy = false;
      this.cancel.hidden = true;
      if (focused) this.input.focus({ preventScroll: true });
      this.input.value = "";
      this.label.classList.remove("lg-busy");
      this.tell();
      this.changed();
    }
  }

  // The readable files of one chosen file: itself, or the pictures in an archive.
  /** @type {(file: File) => Promise<Readable[]>} */
  async broughtBy(file) {
    const { name } = file;
    if (!/\.zip$/i.test(name)) return [{ name, path: name, table: /\.csv$/i.test(name), read: async () => file }];
    try {
      /** @type {Readable[]} */
      const found = [];
      for (const entry of await entriesOf(file)) {
        if (entry.wrong) this.leave(entry.name, entry.wrong);
        else found.push(entry);
      }
      return found;
    } catch (error) {
      this.leave(name, error instanceof ZipError ? error.wrong : "damaged");
      return [];
    }
  }

  /** @param {readonly Readable[]} pictures */
  async sendAll(pictures) {
    for (const [number, picture] of pictures.entries()) {
      if (this.full || this.cancelled) {
        this.unsent += pictures.length - number;
        break;
      }
      this.status.textContent = filled(this.words.exemplars_bringing, { done: number, count: pictures.length });
      await this.send(picture);
    }
  }

  /** @param {Readable} picture */
  async send({ name, path, read }) {
    const found = await this.answered("pictures.add", name, path.slice(-LONGEST_PATH), async () => fitting(await read()));
    if (!found) return;
    if (found.full) Object.assign(this, { full: said(found, "error", this.words), unsent: this.unsent + 1 });
    else if (found.error) this.leftOut.push({ name, reason: said(found, "error", this.words) });
    else this.taken += 1;
  }

  // The pictures stay, whatever is wrong with a table.
  /** @param {Readable} table */
  async sendTable({ name, read }) {
    const found = await this.answered("pictures.label", name, name.slice(-LONGEST_PATH), async () => (await read()).slice(0, MOST_TABLE + 1));
    if (found?.error) this.leftOut.push({ name: "", reason: said(found, "error", this.words) }); // which names the table
    else if (found) this.labelled += found.count;
  }

  /**
   * The server's answer to a file; null if it could not be sent, which is noted then.
   * @template {"pictures.add" | "pictures.label"} Question
   * @param {Question} question
   * @param {string} name
   * @param {string} file
   * @param {() => Promise<Blob>} read
   * @returns {Promise<?Answers[Question]>}
   */
  async answered(question, name, file, read) {
    const body = await read().catch((error) => this.leave(name, error instanceof ZipError ? error.wrong : "damaged"));
    if (!body) return null;
    const address = addressOf(this.stage.data.subject, question, new URLSearchParams({ file }).toString());
    for (let tries = 0; tries < TRIES; tries += 1) {
      try {
        const answer = await asked(address, { method: "POST", body });
        if (answer.status !== BUSY && answer.status <= BUG) return await answer.json();
      } catch { /* the connection is gone for a moment */ }
      await new Promise((go) => { setTimeout(go, AGAIN_MS); });
    }
    this.leave(name, "busy");
    return null;
  }

  /** @type {(name: string, wrong: import("./zip.js").Wrong | "busy") => void} */
  leave(name, wrong) {
    this.leftOut.push({ name, reason: this.words[`exemplars_wrong_${wrong}`] });
  }

  tell() {
    const { words, taken, labelled, leftOut, unsent, full } = this;
    const parts = taken || !labelled ? [filled(words.exemplars_brought, { count: taken })] : [];
    if (labelled) parts.push(filled(words.exemplars_labelled, { count: labelled }));
    if (leftOut.length) parts.push(`${filled(words.exemplars_left_out, { count: leftOut.length })}${unsent ? "." : ""}`);
    if (unsent) parts.push(filled(full ? words.exemplars_unsent_full : words.exemplars_unsent, { count: unsent, reason: full }));
    const text = parts.join(" "), whole = !leftOut.length && !unsent;
    this.status.replaceChildren(...whole ? [text] : withMore(text, "pictures-folder#how-do-i-use-pictures-of-my-own", words));
    this.list.replaceChildren(...leftOut.map(({ name, reason }) => element("li", "", [name, reason].filter(Boolean).join(": "))));
  }
}

// A picture as it is sent: a long one is drawn smaller, as the camera's frames are.
/** @param {Blob} blob */
async function fitting(blob) {
  if (blob.size <= MOST_BYTES) return blob;
  const bitmap = await createImageBitmap(blob);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = element("canvas");
  Object.assign(canvas, { width: Math.max(1, Math.round(bitmap.width * scale)), height: Math.max(1, Math.round(bitmap.height * scale)) });
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  /** @type {?Blob} */
  const smaller = await new Promise((go) => { canvas.toBlob(go, "image/jpeg", QUALITY); });
  if (!smaller || smaller.size > MOST_BYTES) throw new ZipError("long");
  return smaller;
}
