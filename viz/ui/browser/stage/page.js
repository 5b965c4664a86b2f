// The state that all parts of the page share: the subject and the look. Streamlit owns the first, the visitor's browser
// the second.

import { wayThrough } from "../layer/way.js";
import { keepAddress, nameSubject, namesIn } from "../look/address.js";
import { FIRST } from "../look/fields.js";
import { asUnfolded, isUnfoldedAlone, lookFromQuery, undrawn } from "../look/look.js";
import { place } from "../look/place.js";
import { createStore } from "../look/store.js";
import { addressOf } from "../maps/addresses.js";
import { answerOf } from "../page/asking.js";
import { keep, keptSubject, stillHere } from "../page/kept.js";
import { isYetToCome, listenForMoves } from "../page/moving.js";
import { isRunning } from "../page/runs.js";
import { connected } from "../page/sending.js";

const ASK_PYTHON_AGAIN_MS = 5000; // a run of the page's script takes less, but on a busy machine
const RESTING_MS = 50; // on its way, a pointer passes over rows in less
const PICTURE = ["model", "weights", "sample"];
const GOING_ON = /** @type {const} */ (["view", "layer", "lesson"]); // with another one of these, what was said of an address is old

/** @typedef {Readonly<Record<string, string>>} Names - the subject's, as the address has them */
/** @typedef {ClassroomState["hides"]} Hides */

export class Page {
  store = createStore(FIRST);

  /** @type {?SubjectFacts} */
  sent = null;

  /** @type {?SubjectFacts} */
  own = null; // what Python sent last; `sent` is another one while a class shows its teacher's

  /** @type {?SubjectFacts} */
  shared = null; // that one

  /** @type {?import("../classroom/classroom.js").Classroom} */
  classroom = null;

  /** @type {readonly LayerRow[]} */
  layers = []; // the rows without the operations

  walked = this.layers; // the rows of the way that was made last
  /** @type {readonly import("../layer/way.js").Stop<LayerRow>[]} */
  stops = [];

  /** @type {?ReturnType<typeof keepAddress>} */
  address = null; // once what the visitor arrived with has been checked

  /** @type {Names} */
  asked = {}; // what Python knows, or was asked for last

  /** @type {?string} */
  returning = null; // the address of another subject that the visitor went back to

  overtaken = 0; // how many others Python may still send that were asked for before

  /** @type {readonly Notice[]} */
  told = []; // what Python said about the address of this subject

  /** @type {readonly Notice[]} */
  notices = []; // what is said above what is on screen

  /** @type {?import("./costs.js").Costs} */
  costs = null;

  /** @type {?{text: string, picture: string}} */
  guess = null; // the model's best, and of which picture

  /** @type {?import("../layer/present.js").Presentation} */
  presenting = null;

  operations = false;
  /** @type {Hides} */
  hidden = ""; // what is hidden here, because a question asks for it
  apart = false; // whether the two sides that were compared last have no difference
  losing = false;

  /** True if the visit before a reload goes on, once that is known. @type {?Promise<boolean>} */
  before = null;

  broughtBack = false; // whether Python has been asked for that

  /** @type {Names} */
  moving = {}; // what another server was asked to take over, until it has
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  resting;
  /** @type {Set<(look: Look) => void>} */
  listeners = new Set();

  constructor() {
    this.store.subscribe((look, before) => this.lookChanged(look, before));
    window.addEventListener("layerglass:gone", ({ detail }) => this.lost(detail, (names) => names));
    window.addEventListener("layerglass:moving", ({ detail }) => this.lost(detail, (names, kept) => ({ ...names, kept })));
  }

  // The subject on screen, from Python; no part of the page is told of a look before.
  get data() {
    if (!this.sent) throw new Error("Python has not sent the subject yet");
    return this.sent;
  }

  // The visitor's own subject, from Python.
  get mine() {
    if (!this.own) throw new Error("Python has not sent the subject yet");
    return this.own;
  }

  get presentation() {
    if (!this.presenting) throw new Error("the stage is not there yet");
    return this.presenting;
  }

  // Listener for a layer that the visitor may choose next, which is fetched ahead; set by the stage.
  /** @type {(layer: string) => void} */
  expecting = () => {};

  // The class hears that Python has sent a subject beside the one that is shown.
  /** @type {(before: SubjectFacts) => void} */
  ownTaken = () => {};

  // The caption of the teacher's lesson, in lines; the class reads it too.
  caption = "";
  /** @type {Hides} */
  hides = ""; // what the lesson's questions hide from everybody
  captionChanged = () => {};

  /** @type {?{names: Names, look: Look, asked: Names}} */
  entered = null; // the folder's picture that was chosen last, and what was on screen before

  // The subject before a folder's picture, while that picture is on screen, or on its way.
  get cameFrom() {
    return this.entered && hasPicture(this.asked, this.entered.asked) ? this.entered : null;
  }

  // Ask Python for another subject.
  /** @type {(names: Names) => void} */
  ask = () => {};

  // Takes what Python sent, of this subject or of another one, and how to ask it for one.
  /** @type {(data: SubjectFacts, ask: Page["ask"]) => Promise<void>} */
  async take(data, ask) {
    if (!this.sent && !this.broughtBack && await this.bringBack(data, ask)) return undefined; // more comes from Python
    if (this.moves(data, ask)) return undefined; // likewise
    if (this.shared) return this.takeBeside(data, ask);
    const { sent: before, returning } = this, others = returning !== null && this.isOvertaken(data, returning) ? namesIn(returning).others : null;
    Object.assign(this, { own: data, ask, returning: others && returning });
    this.put(data);
    if (others) this.asked = others;
    keep(data);
    if (data.notices.length || before?.subject !== data.subject) this.told = data.notices;
    if (!before) return this.arrive();
    if (!this.address) return undefined; // what the visitor arrived with is still being checked
    if (data.notices.length) this.notices = data.notices;
    if (!returning) this.leave(before);
    if (!others) nameSubject(data.address, !returning);
    if (before.model === data.model) return this.tell();
    if (returning && namesIn(returning).others.model === data.model) return this.restore(returning);
    this.settle();
    return this.tell();
  }

  // Python has sent another subject than the one that the visitor went back to, which is still on its way: one that was
  // asked for before, or the one that is there, without a word against the other.
  /** @type {(data: SubjectFacts, returning: string) => boolean} */
  isOvertaken({ subject, address, notices }, returning) {
    const { others } = namesIn(returning);
    if (hasPicture(address, others) && (address.crop ?? "") === (others.crop ?? "")) return false;
    if (subject === this.sent?.subject) return !notices.length;
    if (!this.overtaken) return false;
    this.overtaken -= 1;
    return true;
  }

  // Another subject is on screen: the look is yet to be settled on it.
  /** @param {SubjectFacts} data */
  put(data) {
    Object.assign(this, { sent: data, asked: data.address });
    document.documentElement.lang = data.words.language_code; // tells screen readers, and chooses plural forms
    this.layers = data.rows.filter(({ operation }) => !operation);
    this.store.at(data.model);
  }

  // The entry of the subject before says what was last on screen, with the channel that its maps chose: the next one's
  // would choose another.
  /** @param {SubjectFacts} before */
  leave({ subject, model }) {
    if (model === this.data.model && subject !== this.data.subject) this.store.fix();
    this.address?.write();
  }

  // Take the visitor's own subject from Python while the teacher's is on screen.
  /** @type {(data: SubjectFacts, ask: Page["ask"]) => void} */
  takeBeside(data, ask) {
    const before = this.mine;
    Object.assign(this, { own: data, ask, returning: null });
    keep(data);
    this.ownTaken(before);
  }

  // Show the subject of a class, or with null the visitor's own again; the look is settled on it.
  /** @param {?SubjectFacts} shared */
  share(shared) {
    const before = this.data, data = shared ?? this.mine;
    Object.assign(this, { shared, told: [], notices: [] });
    this.put(data);
    nameSubject(data.address, false);
    if (before.model === data.model) this.settleLayer();
    else this.settle();
    this.tell();
  }

  // Show the look of a class: nobody here chose it, so nobody undoes it.
  /** @param {Look} look */
  followLook(look) {
    this.notices = [];
    this.settleOn(asUnfolded(Object.freeze(look), this.store.get())); // what stands open is everybody's own
  }

  // A reload begins another visit. What the visitor had brought to the one before, Python is asked for first, so that
  // nothing else is shown; true if it will come.
  /** @type {(data: SubjectFacts, ask: Page["ask"]) => Promise<boolean>} */
  async bringBack(data, ask) {
    const kept = keptSubject();
    const here = await (this.before ??= stillHere(kept));
    if (this.sent || this.broughtBack || !kept) return false;
    this.broughtBack = true;
    ask({ ...namesIn(place.location.search).others, kept });
    if (here) afterPython(() => { if (!this.sent) this.take(data, ask); });
    return here;
  }

  // Check whether Python has to be asked once more for what it should take over from a server that has gone.
  /** @type {(data: SubjectFacts, ask: Page["ask"]) => boolean} */
  moves(data, ask) {
    const { moving: asked } = this;
    this.moving = {};
    if (!isYetToCome(data.address, asked)) return false;
    ask(asked);
    afterPython(() => { if (this.data.subject === asked.kept) this.take(data, ask); });
    return true;
  }

  // The first subject: what a link asks for is checked once, and from now on the address follows the look.
  async arrive() {
    await this.restore(place.location.search);
    this.address = keepAddress(this.store, (look) => this.returned(look));
    nameSubject(this.data.address, false);
    this.address.write();
    listenForMoves(() => this.mine.subject);
    this.tell();
  }

  // Show the look of an address, as far as the model has it, and list the missing parts.
  /** @param {string} query */
  async restore(query) {
    this.settleOn(lookFromQuery(query).look);
    this.notices = this.told;
    const shown = this.store.get();
    const found = await this.possible(query, () => this.store.get() === shown);
    if (!found) return; // the visitor has gone on
    if (found.look !== undefined) this.settleOn(lookFromQuery(found.look).look);
    this.notices = [...this.told, ...(found.notices ?? [])];
    if (this.address) this.tell();
  }

  // Ask for the part of an address's look that the model has, and for sentences about the rest.
  /** @type {(query: string, wanted: () => boolean) => Promise<?{look?: string, notices?: readonly Notice[]}>} */
  async possible(query, wanted) {
    if (!namesIn(query).look.length) return {};
    const { subject, words } = this.data;
    const asked = `${query.replace(/^\?/, "")}&lang=${words.language_code}`;
    return answerOf(addressOf(subject, "look.json", asked), wanted);
  }

  /** @param {Look} look */
  settleOn(look) {
    this.store.settle({ type: "link", look });
    this.settleLayer();
  }

  // Look at a folder's picture, by what an address calls it; the subject before it comes back by undo.
  /** @param {string} sample */
  lookAt(sample) {
    if (this.shared) return; // a class shows its teacher's
    const { crop, ...names } = this.asked;
    if (names.sample === sample) return;
    this.store.fix(); // now, and not with Python's answer: undo knows the picture by the look before it
    const asked = { ...names, sample };
    Object.assign(this, { entered: { names: this.asked, look: this.store.get(), asked }, asked });
    this.ask(asked);
  }

  // Nothing was chosen since the folder's picture, but for what is unfolded.
  isWhereItCameTo() {
    const { cameFrom } = this;
    return cameFrom !== null && isUnfoldedAlone(cameFrom.look, this.store.get());
  }

  // Undo the choice of a folder's picture: whether that was the last thing that was chosen.
  undoSubject() {
    const { cameFrom } = this;
    if (!cameFrom) return false;
    this.entered = null;
    this.ask({ ...cameFrom.names, lang: this.asked.lang ?? "" });
    return true;
  }

  // Back or Forward: to another look, or to another subject, which Python has to load.
  /** @param {Look} look */
  returned(look) {
    this.told = [];
    const { search } = place.location;
    const { others } = namesIn(search);
    if (isOther(others, this.asked)) {
      const overtaken = this.returning === null ? Number(this.asked !== this.data.address) : this.overtaken + 1;
      Object.assign(this, { asked: others, returning: search, overtaken, entered: null });
      this.ask(others);
    } else if (this.returning !== null) this.returning = search;
    if (others.model !== this.data.model) return; // its layers are not known yet
    this.store.dispatch({ type: "link", look });
    this.restore(search);
  }

  // Another model: a layer of the same name stays on screen; edits, a class and a cell mean nothing there.
  settle() {
    const now = this.store.get(), { edit, show, target, cell, optimised_aim: aim, optimised_minus: minus } = FIRST;
    const look = { ...now, edit, show, target, cell, optimised: undrawn(now), optimised_aim: aim, optimised_minus: minus };
    this.settleOn(Object.freeze(look));
  }

  // The server was restarted, or has gone: Python makes the subject again for the visit that Streamlit has begun there.
  /** @type {(address: string, wanted: (names: Names, subject: string) => Names) => Promise<void>} */
  async lost(address, wanted) {
    const { subject } = this.mine;
    if (this.losing || !address.includes(`/${subject}/`)) return;
    this.losing = true;
    await connected();
    if (subject === this.mine.subject) {
      this.moving = wanted(this.mine.address, subject);
      this.ask(this.moving);
    }
    setTimeout(() => { this.losing = false; }, ASK_PYTHON_AGAIN_MS);
  }

  settleLayer() {
    const { layer, call } = this.store.get();
    const row = this.rowOf(layer);
    if (row?.operation) this.operations = true;
    if (!row) this.store.settle({ type: "layer", layer: this.data.first });
    else if (call >= Math.max(1, row.calls)) this.store.settle({ type: "call", call: 0 });
  }

  /** @param {string} layer */
  rowOf(layer) {
    return this.data.rows.find(({ name }) => name === layer);
  }

  // The layers that can be chosen: operations only if the visitor, or a link, asks for them.
  get rows() {
    return this.operations ? this.data.rows : this.layers;
  }

  // Every call of these layers, in the order in which the model runs.
  get way() {
    const { rows } = this;
    if (this.walked !== rows) Object.assign(this, { walked: rows, stops: wayThrough(rows) });
    return this.stops;
  }

  /** @param {boolean} shown */
  showOperations(shown) {
    this.operations = shown;
    if (!shown && this.rowOf(this.store.get().layer)?.operation) this.store.settle({ type: "layer", layer: this.data.first });
    this.tell();
  }

  // Hear of each change of the look or of the subject; returns a function that ends that.
  /** @param {(look: Look) => void} act */
  listen(act) {
    this.listeners.add(act);
    if (this.address) act(this.store.get());
    return () => this.listeners.delete(act);
  }

  /** @type {(look: Look, before: Look) => void} */
  lookChanged(look, before) {
    if (GOING_ON.some((name) => look[name] !== before[name])) this.notices = [];
    if (!this.address) return;
    if (this.store.isOthers(look)) this.settle();
    else if (!this.rowOf(look.layer)) this.settleLayer();
    if (look === this.store.get()) this.tell(); // else this is called again
  }

  // A layer that the visitor seems about to choose: the pointer, or the mark of a list, has come to it.
  /** @param {string} layer */
  expect(layer) {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.expecting(layer), RESTING_MS);
  }

  /** @param {{text: string, picture: string}} guess */
  guessed(guess) {
    this.guess = guess;
    window.dispatchEvent(new CustomEvent("layerglass:guess"));
  }

  // True if shapes are hidden.
  get veiled() {
    return this.hidden === "sizes";
  }

  // Hide what would answer a question: figures, or every layer's shape too; with nothing, show it again.
  /** @param {Hides} hidden */
  veil(hidden) {
    if (hidden === this.hidden) return;
    this.hidden = hidden;
    document.documentElement.classList.toggle("lg-veiled", this.veiled);
    document.documentElement.classList.toggle("lg-untold", hidden !== "");
    if (this.address) this.tell();
  }

  // Say a sentence above the maps, with a link to a document about it, until the page shows something else.
  /** @param {string} text */
  say(text, document = "") {
    this.notices = [{ text, document }];
    this.tell();
  }

  // Two sides are on screen: the choices of scale and order depend on whether they have a difference.
  /** @param {boolean} apart */
  pairDrawn(apart) {
    if (apart === this.apart) return;
    this.apart = apart;
    this.tell();
  }

  tell() {
    for (const act of this.listeners) act(this.store.get());
  }
}

// Act where Python has been asked in vain: a run that still goes on may bring what was asked for.
/** @param {() => void} act */
function afterPython(act) {
  setTimeout(() => { if (isRunning()) afterPython(act); else act(); }, ASK_PYTHON_AGAIN_MS);
}

/** @type {(names: Names, before: Names) => boolean} */
function isOther(names, before) {
  return [...Object.keys(names), ...Object.keys(before)].some((name) => names[name] !== before[name]);
}

// An address has the model, the weights and the picture of names, as far as they say one.
/** @type {(address: Names, names: Names) => boolean} */
function hasPicture(address, names) {
  return PICTURE.every((name) => names[name] === undefined || names[name] === address[name]);
}

export const page = new Page();
