// Exemplars beside a channel: the pictures of a folder that excite it most and least. Also how its values spread over
// them, and which channels the picture on screen excites unusually. The folder is the server's, the visitor's own
// pictures, or the samples.

import { step } from "../look/look.js";
import { addressOf } from "../maps/addresses.js";
import { element } from "../maps/mosaic.js";
import { paragraph, refused, withMore } from "../maps/said.js";
import { answerOf, newestOnly } from "../page/asking.js";
import { revealOpened, unfoldedByLook } from "../page/reveal.js";
import { Bring } from "./bring.js";
import { Choices, folderOf, SourceChoice } from "./choices.js";
import { passLine } from "./progress.js";
import { drawSheet, drawSpread } from "./sheet.js";
import { drawUnusual } from "./unusual.js";

const REST_MS = 250; // on a channel, before anything is asked about it
const POLL_MS = 800;
const ORDERS = ["maximum", "mean"];
const AGAIN_SHARE = 0.1; // of a running pass, after which what it found is drawn again

// Layouts whose channels are those of a pass: of a table, or of one slice of a volume, nothing is known.
const COUNTED = ["maps", "channels-last", "vector", "tokens", "sequence-first", "placed"];

/** @typedef {{subject: string, layer: string, call: number, kind: string, channel: number}} About */

export class ExemplarsSection {
  /** @type {?About} */
  about = null;

  /** @type {?FoldersFacts} */
  folders = null;

  newest = newestOnly(); // of the questions about the folders
  drawnFor = "";
  drawnAt = 0; // pictures that were done then
  closed = false;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  polling;

  /**
   * @param {HTMLElement} parent
   * @param {StagePage} stage
   * @param {boolean} usually - whether it is unfolded where the look leaves that to the view
   */
  constructor(parent, stage, usually = false) {
    this.stage = stage;
    this.root = element("details", "lg-exemplars");
    this.root.dataset.part = "exemplars";
    this.summary = element("summary");
    this.back = element("button", "lg-exemplars-back");
    this.back.type = "button";
    this.whose = new SourceChoice(stage.store);
    this.orders = new Choices((by) => stage.store.dispatch(/** @type {Action} */ ({ type: "exemplars_by", exemplars_by: by })));
    this.choices = element("div", "lg-exemplars-choices");
    this.choices.append(this.whose.root, this.orders.root);
    this.line = element("div");
    this.found = element("div");
    this.unusual = element("section", "lg-unusual");
    this.back.onclick = () => stage.undoSubject();
    this.bring = new Bring(stage, () => this.brought());
    this.root.append(this.summary, this.back, this.choices, this.line, this.found, this.unusual, this.bring.root);
    parent.append(this.root);
    this.ends = [unfoldedByLook(this.root, "exemplars", stage.store, usually), stage.store.subscribe((look, before) => this.looked(look, before))];
    revealOpened(this.root);
    this.root.addEventListener("toggle", () => this.ask(0));
  }

  get words() {
    return this.stage.data.words;
  }

  // Source of the folder that is looked at.
  get source() {
    return this.folder?.source ?? "";
  }

  get by() {
    return this.stage.store.get().exemplars_by;
  }

  // The visitor, or a link, has chosen other pictures or another order.
  /** @type {(look: Look, before: Look) => void} */
  looked(look, before) {
    if (this.root.open && (look.pictures !== before.pictures || look.exemplars_by !== before.exemplars_by)) this.draw();
  }

  // Follow the page to its channel; null if it shows no channel of maps.
  /** @param {?About} about */
  follow(about) {
    this.root.hidden = about === null;
    const before = this.about;
    this.about = about;
    this.summary.textContent = this.words.exemplars;
    this.bring.name();
    this.back.hidden = !this.stage.cameFrom;
    this.back.textContent = this.words.exemplars_back;
    if (!about) return;
    if (before?.subject !== about.subject) Object.assign(this, { folders: null });
    this.ask(REST_MS);
  }

  /** @param {number} after */
  ask(after) {
    clearTimeout(this.waiting);
    if (this.root.open && this.about) this.waiting = setTimeout(() => this.show(), after);
  }

  async show() {
    if (!this.about) return;
    if (this.folders) this.draw();
    if (!this.folders || isRunning(this.folders)) await this.poll(); // of a pass, nobody heard while this was folded
  }

  /** @param {About} about */
  isStill(about) {
    return !this.closed && this.about?.subject === about.subject;
  }

  lang(more = {}) {
    return new URLSearchParams({ ...more, lang: this.words.language_code }).toString();
  }

  // Take the facts of the folders, and the progress of the passes over them.
  /** @param {?FoldersFacts} folders */
  hear(folders) {
    if (!folders) return;
    if (folders.error) this.line.replaceChildren(refused(folders, this.words, ""));
    else {
      this.folders = folders;
      this.draw();
    }
    clearTimeout(this.polling);
    if (this.folders && isRunning(this.folders)) this.polling = setTimeout(() => this.poll(), POLL_MS);
  }

  async poll() {
    const { about } = this;
    if (!about || !this.root.open) return;
    const newest = this.newest();
    this.hear(await answerOf(addressOf(about.subject, "folders.json", this.lang()), () => newest() && this.isStill(about)));
  }

  get folder() {
    return folderOf(this.folders?.folders ?? [], this.stage.store.get().pictures);
  }

  draw() {
    const { folder, words } = this;
    this.drawChoices();
    if (!folder) return;
    const { about, by, source } = this;
    passLine(this.line, folder, words, (act) => this.act(act), addressOf(this.stage.data.subject, "left-out.txt", this.lang({ source })));
    if (!about || folder.done === folder.left_out) return this.drawNothing();
    if (!COUNTED.includes(about.kind)) {
      this.drawnFor = "";
      return this.sayUnknown();
    }
    const key = [about.subject, about.layer, about.call, about.kind, about.channel, source, by, words.language_code].join(" ");
    const grown = folder.done - this.drawnAt >= AGAIN_SHARE * folder.count || (folder.state !== "running" && folder.done !== this.drawnAt);
    if (key === this.drawnFor && !grown) return;
    Object.assign(this, { drawnFor: key, drawnAt: folder.done });
    this.drawFound(about, key);
  }

  // Clear the results of other pictures: no picture was looked at yet.
  drawNothing() {
    this.drawnFor = "";
    this.found.replaceChildren();
    this.unusual.replaceChildren();
  }

  sayUnknown() {
    this.found.replaceChildren(paragraph(withMore(this.words.exemplars_unknown, "pictures-folder#why-does-a-layer-have-no-exemplars", this.words)));
    this.unusual.replaceChildren();
  }

  // Draw the choices of the folder and of the order.
  drawChoices() {
    const { words, folders } = this;
    this.whose.showFolders(folders?.folders ?? [], this.source, words);
    this.orders.root.hidden = !this.folder?.done;
    this.orders.show(words.exemplars_by, ORDERS.map((by) => ({ value: by, text: words[`exemplars_by_${by}`] })), this.by);
  }

  // A finished capture is shown before the model has run: where the picture on screen stands among its own comes then.
  /** @type {(about: About, key: string) => Promise<void>} */
  async drawFound(about, key) {
    const { source, by, words } = this;
    const look = { layer: about.layer, call: String(about.call + 1), channel: String(about.channel) };
    const wanted = () => this.isStill(about) && this.drawnFor === key;
    for (const how of this.folder?.opened ? [{ alone: "1" }, {}] : [{}]) {
      const found = await answerOf(addressOf(about.subject, "exemplars.json", this.lang({ ...look, source, by, ...how })), wanted);
      if (!found) return;
      if (found.error) return void this.found.replaceChildren(refused(found, words, ""));
      if (found.known) this.drawSheets(about, found);
      else this.sayUnknown();
    }
    await this.drawUnusual(about, look, wanted);
  }

  /** @type {(about: About, found: ExemplarsFacts) => void} */
  drawSheets(about, found) {
    const { source, by, words } = this, { model, address } = this.stage.data;
    const shown = { subject: about.subject, about: `${model} ${address.weights ?? about.subject}`, source, words, chosen: (/** @type {string} */ picture) => this.stage.lookAt(source === "samples" ? picture : `${source}:${picture}`) };
    const focused = focusedPicture(this.found);
    this.found.replaceChildren(
      ...(found.small ? [element("p", "lg-exemplars-small", words.exemplars_small)] : []),
      element("h4", "", words.exemplars_most), ...(by === "mean" ? [element("p", "", words.exemplars_mean_note)] : []), drawSheet(found.most, words.exemplars_most, shown), drawSpread(found, words),
      element("h4", "", words.exemplars_least), element("p", "", words.exemplars_least_note), drawSheet(found.least, words.exemplars_least, shown),
    );
    if (focused) [...this.found.querySelectorAll("button")].find((each) => each.dataset.picture === focused)?.focus({ preventScroll: true });
  }

  /** @type {(about: About, look: {layer: string, call: string}, wanted: () => boolean) => Promise<void>} */
  async drawUnusual(about, { layer, call }, wanted) {
    const { source, words, stage } = this;
    const found = await answerOf(addressOf(about.subject, "excited.json", this.lang({ layer, call, source })), wanted);
    if (!found) return;
    if (found.error) return void this.unusual.replaceChildren();
    this.unusual.replaceChildren(element("h3", "", words.unusual), ...drawUnusual(found, words, open));

    /** @type {(name: string, number: number, channel: number) => void} */
    function open(name, number, channel) {
      const there = step(stage.store.get(), { type: "layer", layer: name, call: number });
      stage.store.dispatch({ type: "link", look: step(there, { type: "channel", channel }) });
    }
  }

  /** @type {(act: "start" | "stop" | "forget", source?: string) => Promise<void>} */
  async act(act, source = this.source) {
    const { about } = this;
    if (!about) return;
    const newest = this.newest(), address = act === "forget" ? addressOf(about.subject, "pictures.forget", this.lang()) : addressOf(about.subject, "folder.pass", this.lang({ source, act }));
    const folders = await answerOf(address, () => newest() && this.isStill(about), { method: "POST" });
    if (act === "forget") this.drawnFor = "";
    this.hear(folders);
  }

  // Own pictures have come: they are looked through at once, because that is what they were brought for.
  brought() {
    if (!this.bring.taken && !this.bring.labelled) return;
    this.drawnFor = "";
    this.stage.store.settle({ type: "pictures", pictures: "own" });
    this.act("start", "own");
  }

  close() {
    this.closed = true;
    for (const end of this.ends) end();
    clearTimeout(this.waiting);
    clearTimeout(this.polling);
  }
}

/** @param {FoldersFacts} folders */
function isRunning({ folders }) {
  return folders.some(({ state }) => state === "running");
}

// The exemplar that has the keyboard's focus, which drawing again must not take.
/** @param {HTMLElement} root */
function focusedPicture(root) {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && root.contains(activeElement) ? activeElement.dataset.picture : undefined;
}

// Of the first value that a layer returns it may be known what other pictures make of it; where it is not, the section
// says so.
/** @param {LayerFacts} facts */
export function hasExemplars({ leaf, kind }) {
  return ["output", "output[0]"].includes(leaf) && !["attention", "attention-query", "phase", "signals"].includes(kind);
}
