// The optimised picture of a channel, beside its map. It sharpens while the server works on it, and is compared with
// the pictures of a folder. Another channel's picture can be kept beside it.

import { CHOICES } from "../look/fields.js";
import { aimOf } from "../look/look.js";
import { addressOf } from "../maps/addresses.js";
import { element, filled, perCent } from "../maps/mosaic.js";
import { paragraph, refusal, tell, withMore } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { isUnfolded, revealOpened, unfoldedByLook } from "../page/reveal.js";
import { OptimisedFigures } from "./figures.js";

const KEPT = 24; // channels whose pictures are shown again at once

/** @typedef {import("./figures.js").About} About */
/** @typedef {import("./figures.js").Shown} Shown */

export class OptimisedSection {
  /** @type {?About} */
  about = null;

  /** @type {Map<string, Shown>} */
  known = new Map();

  running = ""; // the address that is asked for; empty if none is

  /** @type {?object} */
  turn = null; // of asking: who stops and goes on at once waits for one answer, not for two

  /** @type {?Shown} */
  kept = null; // another channel's, for comparison

  made = { model: "", subject: "" }; // what its pictures depend on besides layer and channel
  /** @type {?Answer} */
  problem = null;

  chosen = ""; // the address of what the look means

  /**
   * @param {HTMLElement} parent
   * @param {StagePage} stage
   * @param {boolean} usually - whether it is unfolded where the look leaves that to the view
   */
  constructor(parent, stage, usually = false) {
    this.stage = stage;
    this.usually = usually;
    this.root = element("details", "lg-optimised");
    this.root.dataset.part = "optimised";
    this.summary = element("summary");
    this.honest = element("p", "lg-optimised-honest");
    const { store } = stage;
    this.aim = choice(CHOICES.optimised_aim, (aim) => store.dispatch({ type: "optimised_aim", optimised_aim: aim, optimised_minus: aim === "minus" ? this.minus : null }));
    this.way = choice(CHOICES.optimised_way, (way) => store.dispatch({ type: "optimised_way", optimised_way: way }));
    this.count = choice(CHOICES.optimised_count, (count) => store.dispatch({ type: "optimised_count", optimised_count: count }));
    this.start = element("button", "lg-optimised-start");
    this.start.type = "button";
    this.start.onclick = () => (this.running ? this.told("open") : this.begin());
    const controls = element("div", "lg-optimised-controls");
    controls.append(this.aim.root, this.way.root, this.count.root, this.start);
    this.bar = element("progress");
    this.steps = element("p", "lg-optimised-steps"); // not read out: it changes twice a second
    this.status = element("p", "lg-optimised-status");
    this.status.setAttribute("role", "status");
    this.figures = new OptimisedFigures();
    this.agreement = element("div", "lg-optimised-agreement");
    this.root.append(this.summary, this.honest, controls, this.figures.root, this.bar, this.steps, this.status, this.agreement);
    parent.append(this.root);
    this.ends = [unfoldedByLook(this.root, "optimised", store, usually), store.subscribe(() => this.looked())];
    this.root.addEventListener("toggle", () => this.compareAgain());
    revealOpened(this.root);
  }

  get words() {
    return this.stage.data.words;
  }

  get look() {
    return this.stage.store.get();
  }

  // Follow the page to its channel; null if it shows none that a picture could be optimised for.
  /** @param {?About} about */
  follow(about) {
    this.root.hidden = about === null;
    const before = this.about && this.made, { data } = this.stage;
    this.about = about;
    this.made = { model: `${data.model} ${data.address.weights ?? data.subject}`, subject: data.subject };
    const isOther = before && (before.model !== this.made.model || (this.look.optimised_way === "own" && before.subject !== data.subject));
    if (isOther && this.look.optimised === "drawn") this.told("open"); // nobody asked for another model's, or one from another picture
    if (this.kept && this.kept.about.subject !== about?.subject) this.kept = null;
    this.looked();
    this.compareAgain();
  }

  // Draw the picture that the look means, and make it if the look says so.
  looked() {
    const address = this.address(), { look } = this, drawn = look.optimised === "drawn";
    if (address !== this.chosen) this.problem = null;
    this.chosen = address;
    if (this.running !== address || !drawn) this.stop();
    if (!this.about) return;
    this.draw();
    if (!isUnfolded(look, "optimised", this.usually) || !this.isCurrent(this.about)) return;
    const facts = this.known.get(address)?.facts, over = facts !== undefined && isOver(facts);
    if (over && !drawn) this.told("drawn"); // it is on screen, so an address says it
    if (!over && drawn && !this.running) this.goOn();
  }

  // The maps on screen are those of the look, and what the picture is for is there: of anything else none is asked for.
  /** @param {About} about */
  isCurrent({ layer, call, channel }) {
    const { look } = this;
    const shown = [look.layer || layer, look.call, look.channel ?? channel].join() === [layer, call, channel].join();
    return shown && aimOf(look) === look.optimised_aim;
  }

  // The visitor begins, with the channel that is on screen, whoever chose it: from now on, a picture depends on it.
  begin() {
    this.stage.store.fix();
    this.told("drawn");
  }

  goOn() {
    if (this.look.channel === null) this.begin();
    else this.run();
  }

  // The visitor starts or stops, or a picture is on screen again: nobody undoes that.
  /** @param {"open" | "drawn"} optimised */
  told(optimised) {
    this.stage.store.settle({ type: "optimised", optimised });
  }

  // Channel to go without: the look's, or before one is chosen the one that is kept.
  get minus() {
    const { look, kept, about } = this;
    const isOther = kept && about && kept.about.layer === about.layer && kept.about.call === about.call && kept.about.channel !== about.channel;
    return isOther && look.optimised_aim !== "minus" ? kept.about.channel : look.optimised_minus;
  }

  // Cell that is taken apart, as row and column; none once none is.
  get cell() {
    const [row, column] = this.look.cell.split(",");
    return column === undefined ? null : { row, column };
  }

  // Aims to choose from: of a cell one must be chosen, and from another channel its picture must be kept.
  get aims() {
    const { minus, about, cell } = this;
    return CHOICES.optimised_aim.filter((aim) => aim === "channel" || (aim === "cell" ? cell : minus !== null && minus !== about?.channel));
  }

  // Address of the picture that is chosen now; empty without a channel.
  address() {
    const { about } = this;
    if (!about) return "";
    const { layer, call, channel, kind } = about, { optimised_way: way, optimised_count: count } = this.look;
    const more = { layer, call: String(call + 1), channel: String(channel), kind, ...this.aimed() };
    /** @type {Record<string, string>} */
    const how = way === "own" ? { own: "1" } : { way, count: count === "four" ? "4" : "1" };
    return addressOf(about.subject, "optimised.json", new URLSearchParams({ ...more, ...how }).toString());
  }

  // The aim in the fields of an address; none for all of the channel.
  /** @returns {Record<string, string>} */
  aimed() {
    const { cell, look } = this, aim = aimOf(look);
    if (aim === "cell" && cell) return { y: cell.row, x: cell.column };
    return aim === "minus" ? { minus: String(look.optimised_minus) } : {};
  }

  // Ask until it is finished, or until it is stopped: the server works only while it is asked.
  async run() {
    const address = this.address(), turn = {};
    if (!address) return;
    Object.assign(this, { running: address, turn, problem: null });
    this.draw();
    while (this.turn === turn) await this.ask(address, () => this.turn === turn);
  }

  // The next answer; the last one ends the run.
  /** @type {(address: string, wanted: () => boolean) => Promise<void>} */
  async ask(address, wanted) {
    const { about } = this, way = this.look.optimised_way, aim = this.aimed();
    const found = await answerOf(/** @type {Address<"optimised.json">} */ (address), wanted);
    if (!found || !about) return;
    const over = found.error !== undefined || isOver(/** @type {OptimisedFacts} */ (found));
    if (found.error !== undefined) this.problem = found;
    else this.keep({ address, way, aim, about, facts: /** @type {OptimisedFacts} */ (found) });
    if (over) Object.assign(this, { running: "", turn: null });
    if (found.error !== undefined) this.told("open"); // once more if the visitor wants it
    this.draw();
  }

  // A finished picture that was compared with nothing, as a folder may have been looked through since.
  compareAgain() {
    const address = this.address(), facts = this.known.get(address)?.facts;
    if (!facts || !this.root.open || this.running || !isOver(facts) || facts.stuck || facts.compared) return;
    this.ask(address, () => this.address() === address && !this.running);
  }

  stop() {
    if (!this.running) return;
    Object.assign(this, { running: "", turn: null });
    this.draw();
  }

  /** @param {Shown} shown */
  keep(shown) {
    const { known } = this, { address } = shown;
    if (this.kept?.address === address) this.kept = shown;
    known.delete(address);
    known.set(address, shown);
    if (known.size > KEPT) known.delete([...known.keys()][0]);
  }

  draw() {
    const { words, about } = this;
    if (!about) return;
    const address = this.address(), shown = this.known.get(address), facts = shown?.facts;
    const runs = this.running === address;
    const { minus, cell, look } = this, aims = this.aims;
    this.summary.textContent = words.optimised;
    this.honest.textContent = words.optimised_honest;
    this.aim.name(words.optimised_aim, (value) => filled(words[`optimised_aim_${value}`], { row: cell?.row ?? 0, column: cell?.column ?? 0, channel: minus ?? 0 }));
    this.aim.show(aimOf(look), aims);
    this.aim.root.hidden = aims.length === 1;
    this.way.name(words.optimised_way, (value) => words[`optimised_${value}`]);
    this.way.show(look.optimised_way, CHOICES.optimised_way);
    this.count.name(words.optimised_count, (value) => words[`optimised_${value}`]);
    this.count.show(look.optimised_count, CHOICES.optimised_count);
    this.count.root.hidden = look.optimised_way === "own";
    this.start.textContent = runs ? words.optimised_stop : facts ? words.optimised_go_on : words.optimised_start;
    this.bar.hidden = !runs;
    Object.assign(this.bar, { max: facts?.total ?? 1, value: facts?.done ?? 0, ariaLabel: words.optimised });
    this.steps.textContent = runs && facts ? filled(words.optimised_progress, { done: facts.done, total: facts.total }) : "";
    tell(this.status, this.problem ? refusal(this.problem, words) : [facts && !runs ? this.ended(facts) : ""]);
    this.figures.show(this.chosenFigures(shown, runs), words);
    this.agreement.replaceChildren(...(facts && isOver(facts) && !facts.stuck ? agreementOf(facts, words) : []));
    this.hideStart(Boolean(facts && isOver(facts)));
  }

  // A picture that is finished needs no button; the focus on it goes on to the picture.
  /** @param {boolean} hidden */
  hideStart(hidden) {
    const left = hidden && this.start.matches(":focus");
    this.start.hidden = hidden;
    if (left) (this.figures.root.querySelector("button") ?? this.summary).focus({ preventScroll: true });
  }

  /** @param {OptimisedFacts} facts */
  ended(facts) {
    const { words } = this, { done, total, stuck } = facts;
    if (stuck) return words.optimised_stuck;
    return filled(isOver(facts) ? words.optimised_finished : words.optimised_stopped, { done, total });
  }

  // The channel's own pictures, and beside them the one that is kept.
  /** @type {(shown: Shown | undefined, runs: boolean) => import("./figures.js").Figure[]} */
  chosenFigures(shown, runs) {
    const { kept, words } = this;
    const still = runs && window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const figures = (shown?.facts.pictures ?? []).map((_, number) => this.figure(/** @type {Shown} */ (shown), number, still));
    if (shown && figures.length && !runs) figures[0].act = this.keeping(shown);
    if (!kept || kept.address === this.address()) return figures;
    const drop = { name: "drop", text: words.optimised_drop, done: () => this.drop() };
    return [...figures, { ...this.figure(kept, 0, false), kept: true, act: drop }];
  }

  /** @type {(shown: Shown, number: number, still: boolean) => import("./figures.js").Figure} */
  figure(shown, number, still) {
    return { shown, number, title: this.title(shown), kept: false, still, act: null };
  }

  // Title of a picture: its channel, and everything of a kept one that differs from the screen.
  /** @param {Shown} shown */
  title({ way, aim, about: { channel, layer, call } }) {
    const { words, about } = this;
    const whole = filled(words.optimised_title, { channel });
    const part = aim.y ? filled(words.optimised_title_cell, { row: Number(aim.y), column: Number(aim.x) }) : aim.minus ? filled(words.optimised_title_minus, { channel: Number(aim.minus) }) : "";
    const name = part ? `${whole} · ${part}` : whole;
    if (layer !== about?.layer || call !== about.call) return `${layer} · ${name}`;
    return channel === about.channel && way !== this.look.optimised_way ? `${name} · ${words[`optimised_${way}`]}` : name;
  }

  /** @type {(shown: Shown) => import("./figures.js").Act} */
  keeping(shown) {
    const pressed = this.kept?.address === shown.address;
    const done = () => {
      this.kept = pressed ? null : shown;
      this.draw();
    };
    return { name: "keep", text: this.words.optimised_keep, pressed, done };
  }

  drop() {
    this.kept = null;
    this.draw();
    (this.start.hidden ? this.summary : this.start).focus({ preventScroll: true }); // the button that was pressed has gone
  }

  close() {
    for (const end of this.ends) end();
    Object.assign(this, { running: "", turn: null, about: null });
  }
}

/** @param {OptimisedFacts} facts */
function isOver({ done, total, stuck }) {
  return stuck || done >= total;
}

/** @type {(facts: OptimisedFacts, words: Words) => HTMLElement[]} */
function agreementOf({ compared, beaten, likeness, chance }, words) {
  if (!compared) return [paragraph(withMore(words.optimised_no_folder, "pictures-folder#what-activates-a-neuron-a-channel-most", words))];
  const parts = [element("p", "", filled(words.optimised_beaten, { beaten, count: compared }))];
  if (typeof likeness !== "number" || typeof chance !== "number") return parts;
  if (likeness <= chance) return [...parts, paragraph(withMore(filled(words.optimised_disagrees, { count: compared }), "pictures-folder#how-do-i-see-what-the-channel-wants", words), "lg-optimised-disagrees")];
  const [share, most] = [likeness, chance].map((each) => perCent((100 * each).toFixed(0)));
  return [...parts, meter(likeness, share), element("p", "", filled(words.optimised_likeness, { share, count: compared, chance: most }))];
}

/** @type {(value: number, label: string) => HTMLElement} */
function meter(value, label) {
  const found = element("meter");
  Object.assign(found, { min: 0, max: 1, value, ariaLabel: label });
  return found;
}

/**
 * A box of choices; `show` offers some of them, and the first of those if the chosen one is not among them.
 * @template {string} Value
 * @param {readonly Value[]} values
 * @param {(value: Value) => void} chosen
 */
function choice(values, chosen) {
  const root = element("label", "lg-option"), label = element("span"), box = element("select");
  box.append(...values.map((value) => Object.assign(element("option"), { value })));
  box.onchange = () => chosen(/** @type {Value} */ (box.value));
  root.append(label, box);
  return {
    root,
    /** @type {(value: Value, offered: readonly Value[]) => void} */
    show: (value, offered) => {
      for (const option of box.options) option.hidden = option.disabled = !offered.some((each) => each === option.value);
      box.value = offered.includes(value) ? value : offered[0];
    },
    /** @type {(text: string, said: (value: string) => string) => void} */
    name: (text, said) => {
      label.textContent = text;
      for (const option of box.options) option.textContent = said(option.value);
    },
  };
}

// Check whether a picture can be optimised: only for the first value that a layer returns, as it is.
/** @param {LayerFacts} facts */
export function canBeOptimised({ leaf, kind, rows, index }) {
  return ["output", "output[0]"].includes(leaf) && rows === 1 && index === 0 && !["attention", "attention-query", "phase", "signals"].includes(kind);
}
