// A reading: the layer's operation, played on a small block of its real numbers.

import { keeps } from "../layer/keys.js";
import { redraw } from "../layer/options.js";
import { aboutWhole, addressOf, seenAddress, withoutRoom } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { refusal, said, withMore } from "../maps/said.js";
import { begin, paced, pause, seek, stay, tick, toggle } from "../hooks/player.js";
import { keptSpeed, PlayerBar } from "../hooks/player_bar.js";
import { answerOf } from "../page/asking.js";
import { fly, written } from "./parts.js";
import { TAKEN_APART } from "../number/number.js";
import { beginOf, stepOf, stepsOf } from "./steps.js";
import { asNumber } from "./sums.js";

const REST_MS = 200; // after a flip: nothing is asked on the way
const TWEENS = 0.85; // of a step's time

/** @typedef {{y: number, x: number}} Cell */

export class ReadingSection {
  open = false;
  asked = "";
  /** @type {?Cell} */
  at = null; // around which the block lies; null: around the strongest number
  /** @type {?number} */
  source = null; // the channel of the input; null: the one that counts most
  shown = false; // whether it is on screen
  ends = Infinity; // the step at which it stops playing by itself
  plays = false; // whether it is to play once it is there
  about = "";
  player = paced(begin(0, 0), keptSpeed());
  /** @type {?Reading} */
  reading = null;

  /** @type {readonly import("./steps.js").Step[]} */
  steps = [];

  /** @type {?import("./parts.js").Scene} */
  scene = null;

  /** @type {?import("./output_panel.js").OutputPanel} */
  output = null;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  ticking;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting;

  /** @param {import("../layer/viewer.js").LayerView} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.root = viewer.parts.reading;
    this.root.tabIndex = 0;
    this.text = element("p", "lg-reading-about");
    this.place = element("div", "lg-reading-scene");
    this.line = element("p", "lg-reading-said");
    this.player_place = element("div", "lg-player");
    this.verdict = element("p", "lg-reading-verdict");
    this.root.append(this.text, this.place, this.line, this.player_place, this.verdict);
    this.bar = new PlayerBar(this.player_place, {
      toggle: () => this.toggle(), step: (by) => this.go(this.player.place + by), scrub: (place) => this.go(place),
      choosePlace: (place) => this.go(place), pace: (speed) => this.turn(paced(this.player, speed)),
    });
    this.root.addEventListener("keydown", (event) => this.pressed(event));
    this.hearing = new AbortController();
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.turn(pause(this.player)); }, { signal: this.hearing.signal });
  }

  // The layer, the channel or the language on screen may have changed, or the visitor opened the explanation.
  follow() {
    const { page, words, kind, channel } = this.viewer;
    if (!kind.open || !page || page.live) return this.hide();
    const about = placesOf(page);
    if (about !== this.about) Object.assign(this, { about, at: null, source: null });
    const asked = `${words.language_code} ${this.address(page, channel)}`;
    this.open = true;
    if (asked === this.asked) return undefined;
    this.turn(pause(this.player));
    this.asked = asked;
    this.root.setAttribute("aria-busy", "true");
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.ask(), this.reading ? REST_MS : 0);
    return undefined;
  }

  // The block lies around a cell of the map that the visitor has chosen.
  /** @param {Cell} at */
  moveTo(at) {
    this.keepTo(at);
    if (this.open) this.follow();
  }

  /** @param {?Cell} at */
  keepTo(at) {
    const { page } = this.viewer;
    const about = page ? placesOf(page) : "";
    Object.assign(this, { at, about, source: about === this.about ? this.source : null });
  }

  // Open at a cell, and play from there.
  /** @param {?Cell} at */
  play(at) {
    const { kind } = this.viewer;
    this.keepTo(at);
    this.plays = true;
    if (kind.open) this.follow();
    else kind.toggle();
    if (this.reading && !this.root.hasAttribute("aria-busy")) this.begin(this.reading);
    this.root.scrollIntoView({ block: "nearest" });
    this.root.focus({ preventScroll: true });
  }

  /** @type {(page: DrawnPage, channel: number) => Address<"reading.json">} */
  address(page, channel) {
    const place = this.at ? `&y=${this.at.y}&x=${this.at.x}` : "";
    const source = this.source === null ? "" : `&source=${this.source}`;
    const { subject, query } = withoutRoom(page);
    return addressOf(subject, "reading.json", query, `channel=${channel}${place}${source}`);
  }

  async ask() {
    const { page, channel, words } = this.viewer;
    const { asked } = this;
    if (!page) return;
    const found = await answerOf(this.address(page, channel), () => this.asked === asked && this.open);
    if (!found) return;
    const { panelsOf } = await import("./scenes.js");
    if (this.asked !== asked || !this.open) return;
    this.root.removeAttribute("aria-busy");
    this.root.hidden = false;
    const appears = !this.shown;
    this.shown = true;
    if ("cells" in found) this.draw(found, page, panelsOf);
    else this.refuse("reason" in found ? withMore(said(found, "reason", words), TAKEN_APART, words) : refusal(found, words));
    if (appears) this.root.scrollIntoView({ block: "nearest" });
  }

  // A layer that cannot be played: why.
  /** @param {readonly (string | HTMLElement)[]} reason */
  refuse(reason) {
    Object.assign(this, { reading: null, scene: null, output: null, steps: [] });
    this.root.classList.add("lg-reading-empty");
    this.text.replaceChildren(...reason);
    this.place.replaceChildren();
    for (const part of [this.line, this.verdict]) part.textContent = "";
  }

  /** @type {(reading: Reading, page: DrawnPage, panelsOf: typeof import("./scenes.js").panelsOf) => void} */
  draw(reading, page, panelsOf) {
    const { words, data, channel } = this.viewer;
    const told = {
      reading, words, seen: seenAddress(data.subject), picture: aboutWhole(page, "channel.png", `channel=${channel}`),
      choose: (/** @type {number} */ cell) => this.choose(cell), move: (/** @type {number} */ y, /** @type {number} */ x) => this.moveTo({ y, x }),
      chooseSource: (/** @type {number} */ source) => { this.source = source; this.follow(); },
    };
    this.root.classList.remove("lg-reading-empty");
    this.root.setAttribute("aria-label", words.reading);
    this.bar.name(words, { player: words.reading_player, previous: words.reading_previous, next: words.reading_next, slider: words.reading_slider });
    const { scene, output } = panelsOf(told);
    Object.assign(this, { reading, scene, output });
    redraw(this.place, [...scene.panels, output.root]); // the list of the input's channels keeps the keys
    this.place.style.setProperty("--columns", String(scene.columns + reading.columns + 2.4));
    this.text.textContent = aboutOf(reading, words);
    this.begin(reading);
  }

  // At the number that the visitor has chosen, or else at the first; it plays if that was asked for.
  /** @param {Reading} reading */
  begin(reading) {
    const chosen = reading.cells.findIndex(({ y, x }) => y === this.at?.y && x === this.at.x);
    this.steps = stepsOf(reading, chosen);
    this.turn(begin(this.steps.length, Math.max(0, beginOf(this.steps, chosen)), this.player.speed));
    this.drawStep(false);
    if (this.plays) this.toggle();
    this.ends = this.plays && chosen >= 0 ? stepOf(this.steps, chosen) : Infinity;
    this.plays = false;
  }

  // Another number of the block: at once as a whole.
  /** @param {number} cell */
  choose(cell) {
    if (this.reading?.cells[cell]) this.go(stepOf(this.steps, cell));
  }

  toggle() {
    this.ends = Infinity;
    if (this.steps.length) this.turn(toggle(this.player));
  }

  /** @param {number} place */
  go(place) {
    this.turn(seek(this.player, place));
  }

  // Another state of the player; what plays goes on by itself.
  /** @param {import("../hooks/player.js").Player} next */
  turn(next) {
    const before = this.player;
    this.player = next;
    clearTimeout(this.ticking);
    if (!this.steps.length || !this.scene) return;
    if (next.playing) this.ticking = setTimeout(() => this.goOn(), stay(next));
    if (next.place !== before.place) this.drawStep(next.place === before.place + 1);
    else {
      this.drawText(this.steps[next.place]); // said to a screen reader once it stands still
      this.showBar();
    }
  }

  // The time of a step is over.
  goOn() {
    const next = tick(this.player);
    this.turn(next.place >= this.ends ? pause(next) : next);
  }

  /** @param {boolean} moves - whether it is the next step, which may be seen to happen */
  drawStep(moves) {
    const { scene, output, reading, steps, player } = this;
    if (!scene || !output || !reading) return;
    const step = steps[player.place];
    const still = !moves || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const time = still ? 0 : TWEENS * (player.playing ? stay(player) : stay({ ...player, speed: 1 }));
    const there = step.phase === "total";
    this.place.querySelectorAll(".lg-reading-flown").forEach((each) => each.remove());
    scene.show(step, time);
    output.fillTo(there ? step.cell : step.cell - 1);
    output.point(step.cell, time);
    if (there && time) output.squares.cells[step.cell].text.animate([{ opacity: 0 }, { opacity: 0, offset: 0.9 }, { opacity: 1 }], { duration: time });
    if (there) fly(this.place, scene.result().getBoundingClientRect(), output.squares.boxOf(step.cell), written(reading.cells[step.cell].value), { time: time / 2, delay: time / 2 });
    this.drawText(step);
    this.showBar();
  }

  /** @param {import("./steps.js").Step} step */
  drawText(step) {
    const { reading, scene, viewer: { words }, player } = this;
    if (!reading || !scene) return;
    const cell = reading.cells[step.cell];
    this.line.setAttribute("aria-live", player.playing ? "off" : "polite");
    this.line.textContent = scene.said(step);
    this.verdict.textContent = step.phase === "total" ? verdictOf(reading, cell, words) : "";
  }

  showBar() {
    this.bar.show(this.player, this.line.textContent ?? "");
  }

  // Keys that the section keeps for itself while it has the focus.
  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.reading) return;
    const own = KEYS[event.key];
    if (!own || keeps(event.target, event.key)) return;
    own(this);
    event.preventDefault();
    event.stopPropagation();
  }

  // Up or down one row of the block.
  /** @param {number} by */
  row(by) {
    if (this.reading) this.choose(this.steps[this.player.place].cell + by * this.reading.columns);
  }

  hide() {
    clearTimeout(this.waiting);
    this.turn(pause(this.player));
    Object.assign(this, { open: false, asked: "", shown: false });
    this.root.hidden = true;
  }

  close() {
    this.hide();
    this.hearing.abort();
  }
}

/** @type {Readonly<Record<string, (section: ReadingSection) => void>>} */
const KEYS = {
  " ": (section) => section.toggle(),
  k: (section) => section.toggle(),
  ArrowLeft: (section) => section.go(section.player.place - 1),
  ArrowRight: (section) => section.go(section.player.place + 1),
  ArrowUp: (section) => section.row(-1),
  ArrowDown: (section) => section.row(1),
  Home: (section) => section.go(0),
  End: (section) => section.go(section.steps.length - 1),
};

// Maps with the same places: what was chosen on one of them is there on the other. Another picture has them too.
/** @param {DrawnPage} page */
function placesOf({ facts: { layer, call, leaf, kind, index, shape } }) {
  return JSON.stringify([layer, call, leaf, kind, index, shape]);
}

/** Description of a kind of layer, in a few short sentences. @type {(reading: Reading, words: Words) => string} */
function aboutOf({ kind, region, cells }, words) {
  const isMean = cells[0].numbers.some(({ name }) => name === "divisor");
  const texts = {
    convolution: words.reading_convolution, resizing: words.reading_resizing, pooling: isMean ? words.reading_mean_pooling : words.reading_pooling,
    normalisation: words.reading_normalisation, activation: words.reading_activation, softmax: words.reading_softmax,
    attention: words.reading_attention, linear: words.reading_linear, addition: words.reading_addition,
  };
  return /** @type {Record<string, string>} */ (texts)[kind] ?? (region ? words.reading_pooling : words.reading_plain);
}

/** The verdict: whether the number is the one that the layer returned. @type {(reading: Reading, cell: ReadCell, words: Words) => string} */
function verdictOf(reading, cell, words) {
  const text = reading.edited ? words.reading_edited : cell.agrees ? words.reading_agrees : words.reading_disagrees;
  return filled(text, { index: `[${cell.index.join(", ")}]`, value: written(cell.value), difference: written(asNumber(cell.value) - asNumber(cell.total)) });
}
