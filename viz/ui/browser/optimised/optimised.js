// Beside a channel: the picture that it wants to see, which sharpens while the server works on it, and how far that agrees
// with the pictures of a folder. Another channel's picture can be kept beside it.

import { addressOf } from "../maps/addresses.js";
import { element, filled, perCent, readable } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { answerOf } from "../page/asking.js";

const KEPT = 24; // channels whose pictures are shown again at once
const CHANCE = 0.6; // of agreement: below, an exemplar says nothing of the optimised picture

/** @typedef {{subject: string, layer: string, call: number, kind: string, channel: number}} About */
/** @typedef {{about: About, facts: OptimisedFacts}} Shown */

export class OptimisedSection {
  /** @type {?About} */
  about = null;

  /** @type {Map<string, Shown>} */
  known = new Map();

  running = ""; // the address that is asked for; empty if none is

  /** @type {?Shown} */
  kept = null; // another channel's, for comparison

  problem = "";

  /**
   * @param {HTMLElement} parent
   * @param {StagePage} stage
   */
  constructor(parent, stage) {
    this.stage = stage;
    this.root = element("details", "lg-optimised");
    this.root.dataset.part = "optimised";
    this.summary = element("summary");
    this.honest = element("p", "lg-optimised-honest");
    this.way = choice(["fourier", "maco", "own"], () => this.draw());
    this.count = choice(["one", "four"], () => this.draw());
    this.start = element("button", "lg-optimised-start");
    this.start.type = "button";
    this.start.onclick = () => (this.running ? this.stop() : this.run());
    const controls = element("div", "lg-optimised-controls");
    controls.append(this.way.root, this.count.root, this.start);
    this.bar = element("progress");
    this.status = element("p", "lg-optimised-status");
    this.status.setAttribute("role", "status");
    this.figures = element("div", "lg-optimised-figures");
    this.agreement = element("div", "lg-optimised-agreement");
    this.root.append(this.summary, this.honest, controls, this.bar, this.figures, this.status, this.agreement);
    this.root.addEventListener("toggle", () => { if (!this.root.open) this.stop(); });
    parent.append(this.root);
  }

  get words() {
    return this.stage.data.words;
  }

  // What the page shows now; null where there is no channel that a picture could be optimised for.
  /** @param {?About} about */
  follow(about) {
    this.root.hidden = about === null;
    const address = this.address();
    this.about = about;
    if (this.address() !== address) this.stop();
    if (this.kept && this.kept.about.subject !== about?.subject) this.kept = null;
    if (about) this.draw();
  }

  // Of what is chosen now; empty without a channel.
  address() {
    const { about } = this;
    if (!about) return "";
    const { layer, call, channel, kind } = about;
    const way = this.way.value();
    const more = { layer, call: String(call + 1), channel: String(channel), kind };
    /** @type {Record<string, string>} */
    const how = way === "own" ? { own: "1" } : { way, count: this.count.value() === "four" ? "4" : "1" };
    return addressOf(about.subject, "optimised.json", new URLSearchParams({ ...more, ...how }).toString());
  }

  // Ask until it is finished, or until it is stopped: the server works only while it is asked.
  async run() {
    const address = this.address(), { about } = this;
    if (!about || this.running === address) return;
    Object.assign(this, { running: address, problem: "" });
    this.draw();
    while (this.running === address) {
      const found = await answerOf(/** @type {Address<"optimised.json">} */ (address), () => this.running === address);
      if (!found) return;
      if (found.error !== undefined) this.problem = said(found, "error", this.words);
      else this.keep(address, { about, facts: /** @type {OptimisedFacts} */ (found) });
      if (found.error !== undefined || isOver(/** @type {OptimisedFacts} */ (found))) this.running = "";
      this.draw();
    }
  }

  stop() {
    if (!this.running) return;
    this.running = "";
    this.draw();
  }

  /** @type {(address: string, shown: Shown) => void} */
  keep(address, shown) {
    this.known.delete(address);
    this.known.set(address, shown);
    if (this.known.size > KEPT) this.known.delete([...this.known.keys()][0]);
  }

  draw() {
    const { words, about } = this;
    if (!about) return;
    const address = this.address(), shown = this.known.get(address), facts = shown?.facts;
    const runs = this.running === address;
    this.summary.textContent = words.optimised;
    this.honest.textContent = words.optimised_honest;
    this.way.name(words.optimised_way, (value) => words[`optimised_${value}`]);
    this.count.name(words.optimised_count, (value) => words[`optimised_${value}`]);
    this.count.root.hidden = this.way.value() === "own";
    this.start.hidden = Boolean(facts && isOver(facts));
    this.start.textContent = runs ? words.optimised_stop : facts ? words.optimised_go_on : words.optimised_start;
    this.bar.hidden = !runs;
    Object.assign(this.bar, { max: facts?.total ?? 1, value: facts?.done ?? 0, ariaLabel: words.optimised });
    this.status.textContent = this.problem || (facts ? this.progress(facts, runs) : "");
    this.drawFigures(shown, runs);
    this.agreement.replaceChildren(...(facts && isOver(facts) && !facts.stuck ? agreementOf(facts, words) : []));
  }

  /** @type {(facts: OptimisedFacts, runs: boolean) => string} */
  progress(facts, runs) {
    const { words } = this, { done, total } = facts;
    if (facts.stuck) return words.optimised_stuck;
    const sentence = runs ? words.optimised_progress : isOver(facts) ? words.optimised_finished : words.optimised_stopped;
    return filled(sentence, { done, total });
  }

  // The channel's own pictures, and beside them the one that is kept.
  /** @type {(shown: Shown | undefined, runs: boolean) => void} */
  drawFigures(shown, runs) {
    const { kept, words } = this;
    const calm = runs && window.matchMedia("(prefers-reduced-motion: reduce)").matches && this.figures.childElementCount > 0;
    if (calm && shown && this.figures.dataset.for === this.running) return; // nothing changes before the end
    this.figures.dataset.for = shown ? this.running || this.address() : "";
    const figures = (shown?.facts.pictures ?? []).map((_, number) => this.figure(/** @type {Shown} */ (shown), number));
    const first = figures[0];
    if (first && shown && kept !== shown && !runs) first.append(act("keep", words.optimised_keep, () => this.compare(shown)));
    if (kept && kept.about.channel !== this.about?.channel) {
      const other = this.figure(kept, 0);
      other.className = "lg-optimised-kept";
      other.append(act("drop", words.optimised_drop, () => this.compare(null)));
      figures.push(other);
    }
    this.figures.dataset.count = String(figures.length);
    this.figures.replaceChildren(...figures);
  }

  /** @type {(shown: Shown, number: number) => HTMLElement} */
  figure({ about, facts }, number) {
    const { words } = this, root = element("figure"), image = element("img");
    const { channel, layer } = about;
    image.src = `data:image/png;base64,${facts.pictures[number]}`;
    image.alt = filled(words.optimised_alt, { channel, layer });
    image.style.imageRendering = facts.side < 100 ? "pixelated" : "auto";
    const caption = element("figcaption");
    caption.append(element("strong", "", filled(words.optimised_title, { channel })), ` ${filled(words.optimised_value, { value: readable(facts.peaks[number]), own: readable(facts.own) })}`);
    root.append(image, caption);
    return root;
  }

  /** @param {?Shown} shown */
  compare(shown) {
    this.kept = shown;
    this.draw();
    (this.start.hidden ? this.summary : this.start).focus({ preventScroll: true }); // the button that was pressed has gone
  }

  close() {
    this.running = "";
    this.about = null;
  }
}

/** @param {OptimisedFacts} facts */
function isOver({ done, total, stuck }) {
  return stuck || done >= total;
}

/** @type {(facts: OptimisedFacts, words: Words) => HTMLElement[]} */
function agreementOf({ compared, beaten, likeness }, words) {
  if (!compared) return [element("p", "", words.optimised_no_folder)];
  const parts = [element("p", "", filled(words.optimised_beaten, { beaten, count: compared }))];
  if (typeof likeness !== "number") return parts;
  const share = perCent((100 * likeness).toFixed(0));
  const told = [...parts, meter(likeness, share), element("p", "", filled(words.optimised_likeness, { share }))];
  return likeness < CHANCE ? [...told, element("p", "lg-optimised-disagrees", words.optimised_disagrees)] : told;
}

/** @type {(value: number, label: string) => HTMLElement} */
function meter(value, label) {
  const found = element("meter");
  Object.assign(found, { min: 0, max: 1, value, ariaLabel: label });
  return found;
}

/** @type {(name: string, text: string, done: () => void) => HTMLButtonElement} */
function act(name, text, done) {
  const button = element("button", "lg-optimised-act", text);
  button.type = "button";
  button.dataset.act = name;
  button.onclick = done;
  return button;
}

/** @type {(values: string[], changed: () => void) => {root: HTMLElement, value: () => string, name: (label: string, said: (value: string) => string) => void}} */
function choice(values, changed) {
  const root = element("label", "lg-option"), label = element("span"), box = element("select");
  box.append(...values.map((value) => Object.assign(element("option"), { value })));
  box.onchange = changed;
  root.append(label, box);
  return {
    root,
    value: () => box.value,
    name: (text, said) => {
      label.textContent = text;
      for (const option of box.options) option.textContent = said(option.value);
    },
  };
}

// Only of the first value that a layer returns, as it is, can a picture be found that raises it.
/** @param {Facts} facts */
export function canBeOptimised({ leaf, kind, rows, index }) {
  return ["output", "output[0]"].includes(leaf) && rows === 1 && index === 0 && !["attention", "attention-query", "phase", "signals"].includes(kind);
}
