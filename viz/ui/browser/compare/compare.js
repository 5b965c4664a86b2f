// The view of a comparison: A, B and, if their maps correspond, A − B. The arrow keys flip both.

import { REST_MS } from "../channel/channel.js";
import { Flips } from "../layer/flips.js";
import { frameTile } from "../layer/parts.js";
import { lay, magnified } from "../maps/magnify.js";
import { channelAt, filled } from "../maps/mosaic.js";
import { Pages } from "../maps/pages.js";
import { refusal, withoutMaps } from "../maps/said.js";
import { stretched } from "../maps/signal.js";
import { Choices } from "./choices.js";
import { Closer, LARGE_LEAST } from "./closer.js";
import { buildComparison, drawBars, drawNotices, drawProblem, drawSides, nameSides } from "./compare_parts.js";
import { modelSaid, OtherSide } from "./other.js";
import { besideCosts, drawPending } from "./pending.js";
import { channelInWords, fetchPair, pairAsked, sideAsked, SIDES } from "./pairs.js";
import { callBeside, layerBeside } from "./place.js";

/** @typedef {import("../maps/pages.js").Asked} Asked */
/** @typedef {import("./pairs.js").Pair} Pair */
/** @typedef {import("./pairs.js").NoPair} NoPair */
/** @typedef {import("./pairs.js").Side} Side */
/** @typedef {{found: import("./other.js").There, row: LayerRow, call: number}} Theirs - the other side, and where it is */

const pages = new Pages(fetchPair); // kept while the visitor looks at other things

/** @extends {Flips<import("./compare_parts.js").ComparisonParts, Pair | NoPair>} */
export class Compare extends Flips {
  headings = { usual: 9, presented: 4.5 }; // the name of a layer, and boxes for the other side
  pending = ""; // what stands in place of both sides
  hovering = "";
  /** @type {?number} */
  hovered = null;

  /** On screen. @type {Pair | NoPair | null} */
  page = null;

  /** @type {?Theirs} */
  theirs = null;

  /** The answer about the other side for which the page was drawn. @type {?Theirs["found"]} */
  drawn = null;

  /** The picture that was brought for the other side before. @type {?string} */
  brought = null;

  /** @type {ReturnType<Compare["room"]> | null} */
  area = null;

  /** Drawn size of each side. @type {Partial<Record<Side, {scale: number, stretch: number}>>} */
  scales = {};

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  resting;

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    super(page, buildComparison(root));
    this.choices = new Choices(this.parts.choices, page);
    this.other = new OtherSide(page, () => { if (!this.closed) this.follow(this.look, this.look); });
    this.closer = new Closer(this.parts.sides, { say: (text) => this.say(text), leave: () => this.parts.root.focus({ preventScroll: true }) });
    for (const side of SIDES) {
      const { frame } = this.parts.sides[side];
      frame.addEventListener("mousemove", (event) => this.hover(side, this.channelUnder(side, event)));
      frame.addEventListener("mouseleave", () => this.hover(side, null));
      frame.addEventListener("click", (event) => this.chooseChannel(this.channelUnder(side, event)));
    }
    this.listen(root);
    this.stops.push(() => this.other.close(), () => this.choices.close(), () => clearTimeout(this.resting));
  }

  // Another layer, another side, or another channel: fetch the missing parts, and draw.
  /** @type {(look: Look, before: Look | undefined) => void} */
  follow(look, before) {
    this.takeUpload();
    this.other.follow(look);
    const { found, there } = this.other;
    this.choices.show(found, there ? this.instead(look, there) : "");
    drawNotices(this, found);
    if (look.layer !== before?.layer) this.closer.mark(null);
    if (!found || !this.other.isCurrent) return this.wait();
    if (!there) return drawPending(this, found);
    nameSides(this, there.labels);
    const theirs = this.theirs = this.beside(look, there);
    const question = this.question(look, theirs);
    if (question) return drawPending(this, { question });
    const reason = this.rows[this.index].reason ?? theirs.row.reason;
    if (reason) return this.drawProblem(withoutMaps(reason, this.words));
    return this.followMaps(look, theirs);
  }

  /** @type {(look: Look, theirs: Theirs) => void} */
  followMaps(look, theirs) {
    this.parts.body.hidden = false;
    this.area ??= this.room();
    const asked = this.asked(look, theirs);
    const { page, drawn, spoken } = this;
    if (page && isSame(page, asked) && drawn === theirs.found && !spoken) return this.followChannel(look, page);
    Object.assign(this, { spoken: false, drawn: theirs.found });
    const ready = pages.ready(asked);
    if (ready) return this.draw(ready);
    return void this.fetchAndDraw(pages, asked, () => this.isWanted(asked));
  }

  /** @type {(look: Look, page: Pair | NoPair) => void} */
  followChannel(look, page) {
    this.parts.root.removeAttribute("aria-busy");
    if (!page.sides || look.channel === this.channel) return;
    this.keepChannel(page);
    this.drawChannel();
  }

  // A picture that was brought for this side is shown once Python has it.
  takeUpload() {
    const { brought: before } = this;
    const { brought } = this.data;
    this.brought = brought;
    if (before === null || before === brought || !brought) return;
    this.choose({ type: "other", other: { with_sample: brought.split(" ")[0] } });
  }

  // The other side is not known yet.
  wait() {
    const model = modelSaid(this.look, this.data);
    this.pending = ""; // what it says is not said any more
    this.parts.root.setAttribute("aria-busy", "true");
    if (model !== this.data.model) this.parts.status.textContent = filled(this.words.loading_model, { model });
  }

  // The layer and call of B while A shows the look's layer.
  /** @type {(look: Look, found: Theirs["found"]) => Theirs} */
  beside(look, found) {
    const first = found.rows.find(({ name }) => name === found.first) ?? found.rows[0];
    const row = layerBeside(this.data.rows, found.rows, look, first);
    return { found, row, call: callBeside(row, look) };
  }

  // The layer that B shows although nobody chose it, as its model has none of A's layer; empty if there is none such.
  /** @type {(look: Look, found: Theirs["found"]) => string} */
  instead(look, found) {
    const { row } = this.beside(look, found);
    return [look.layer, look.with_layer].includes(row.name) ? "" : row.name;
  }

  // The question of costs for either side's layer, if one has to be asked first.
  /** @type {(look: Look, theirs: Theirs) => ?import("../stage/costs.js").Question} */
  question(look, { found, row }) {
    const costs = besideCosts(this.stage, found);
    return this.stage.costs?.question({ ...look, view: "layer" }) ?? costs.question({ ...look, view: "layer", layer: row.name });
  }

  /** @type {(look: Look, theirs: Theirs) => Asked} */
  asked(look, theirs) {
    if (!this.space.width) this.measureSpace();
    return pairAsked(this.data.subject, look, theirs.found, theirs, this.space);
  }

  // True if the look asks for this pair.
  /** @param {Asked} pair */
  isWanted(pair) {
    const { there } = this.other;
    return there !== null && isSame(pair, this.asked(this.look, this.beside(this.look, there)));
  }

  // The room of one side's maps; below them the channel on screen is shown large.
  room(heading = this.headingHeight()) {
    const { sides, root } = this.parts;
    const left = Math.max(340, window.innerHeight - this.topOf(root) - heading - this.presentation.below);
    return { width: Math.max(140, sides.left.root.clientWidth), height: 0.56 * left, large: Math.max(LARGE_LEAST, 0.44 * left - 30) };
  }

  /** @param {Pair | NoPair} page */
  draw(page) {
    const { theirs } = this;
    if (!theirs) return undefined;
    this.page = page;
    this.parts.root.removeAttribute("aria-busy");
    if (!page.sides) return this.drawProblem(refusal(page, this.words), page);
    this.keepChannel(page);
    drawSides(this, page, theirs);
    this.area = this.room(); // measured once: a flip must not lay out the page again and again
    this.fit();
    this.drawChannel();
    this.prefetch(theirs.found);
    this.stage.pairDrawn(!page.sides.difference);
    return undefined;
  }

  // What stands above the two sides.
  headingHeight() {
    return this.topOf(this.parts.body) - this.topOf(this.parts.root);
  }

  // Keep the look's channel if a side has it, else show the first.
  /** @param {Pair} pair */
  keepChannel({ sides }) {
    const { channel } = this.look;
    const channels = Math.max(...Object.values(sides).map(({ facts }) => facts.geometry.channels), 0);
    const first = sides.left ?? sides.right;
    this.channel = channel !== null && channel < channels ? channel : first?.facts.geometry.order[0] ?? 0;
  }

  /** @type {(reason: readonly (string | HTMLElement)[], page?: ?NoPair) => void} */
  drawProblem(reason, page = null) {
    Object.assign(this, { page, pending: "" });
    drawProblem(this.parts, reason);
  }

  /** @param {Theirs["found"]} found */
  prefetch(found) {
    const costs = besideCosts(this.stage, found);
    for (const by of [1, -1]) {
      const stop = this.stop(by);
      if (!stop || this.waits(stop.row)) continue;
      const look = { ...this.look, layer: stop.row.name, call: stop.call };
      const theirs = this.beside(look, found);
      if (theirs.row.reason || costs.waits(theirs.row)) continue;
      pages.open(this.asked(look, theirs), true).catch(() => {});
    }
  }

  resized() {
    if (this.parts.body.hidden) return this.onceSettled(() => this.forgetRoom());
    this.area = this.room();
    this.fit();
    this.onceSettled(() => {
      this.area = this.room();
      this.measureSpace();
      this.follow(this.look, this.look);
    });
    return undefined;
  }

  // What is hidden has no size: both sides are measured once they are there.
  forgetRoom() {
    if (!this.parts.body.hidden) return this.resized();
    this.space.width = NaN;
    this.area = null;
    return this.follow(this.look, this.look);
  }

  fit() {
    this.scales = {};
    const area = this.area ??= this.room();
    for (const [side, { facts, image }] of this.drawnSides()) {
      const drawnAs = this.scales[side] = stretched(facts, magnified(facts.geometry, area), area);
      lay(image, this.parts.sides[side].frame, facts.geometry, drawnAs);
    }
    this.mark();
  }

  // The sides that have maps.
  drawnSides() {
    const sides = this.page?.sides ?? {};
    return SIDES.flatMap((side) => (sides[side] ? [/** @type {const} */ ([side, sides[side]])] : []));
  }

  /** @type {(side: Side, event: MouseEvent) => ?number} */
  channelUnder(side, event) {
    const page = this.page?.sides?.[side];
    const drawnAs = this.scales[side];
    if (!page || !drawnAs) return null;
    const box = page.image.getBoundingClientRect();
    const { scale, stretch } = drawnAs;
    return channelAt(page.facts.geometry, (event.clientX - box.left) / scale, (event.clientY - box.top) / scale / stretch);
  }

  /** @type {(side: Side, channel: ?number) => void} */
  hover(side, channel) {
    const { page } = this;
    const hovering = channel === null ? "" : `${side} ${channel}`;
    if (!page?.sides || hovering === this.hovering) return;
    Object.assign(this, { hovering, hovered: channel });
    this.mark();
    this.say(channel === null ? "" : channelInWords(page, side, channel, this.words));
  }

  /** @param {string} text */
  say(text) {
    this.parts.status.textContent = text || this.words.pair_choose;
  }

  /** @param {?number} channel */
  chooseChannel(channel) {
    this.parts.root.focus({ preventScroll: true });
    if (channel === null) return;
    this.onceNamed(() => {
      this.withChannel(true);
      this.choose({ type: "channel", channel });
    });
  }

  // True if the maps on screen are those that the look names.
  isNamed() {
    return Boolean(this.page?.sides && this.isWanted(this.page));
  }

  /** @param {number} by */
  stepChannel(by) {
    const first = this.page?.sides?.left ?? this.page?.sides?.right;
    if (first) this.chooseChannel(this.channelAfter(first.facts.geometry, by));
  }

  drawChannel() {
    this.mark();
    const { page: pair, data, look, theirs, words, channel } = this;
    if (!pair?.sides || !theirs) return;
    const { found, row, call } = theirs;
    const area = this.area ??= this.room();
    const edited = found.model === data.model && found.chosen.with_edits === "same";
    const asked = {
      left: sideAsked(data.subject, look, { layer: this.layer, call: this.call }, true),
      right: sideAsked(found.subject, look, { layer: row.name, call }, edited),
    };
    this.closer.show({ pair, channel, words, asked }, { width: area.width - 80, height: area.large });
    drawBars(this.parts, pair, data.colours);
    this.drawMoreLater();
  }

  // Once the visitor stays: not for every flip.
  drawMoreLater() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.closer.drawWhole(), REST_MS);
  }

  redrawChannel() {
    if (this.page?.sides) this.drawChannel();
  }

  mark() {
    for (const [side, { facts: { geometry } }] of this.drawnSides()) {
      const { selected, hovered } = this.parts.sides[side];
      const drawnAs = this.scales[side] ?? { scale: 1, stretch: 1 };
      /** @param {?number} channel */
      const here = (channel) => (channel !== null && channel < geometry.channels ? channel : null);
      frameTile(selected, geometry, here(this.channel), drawnAs);
      frameTile(hovered, geometry, here(this.hovered), drawnAs);
    }
  }
}

/** @type {(one: Asked, other: Asked) => boolean} */
function isSame(one, other) {
  return one.subject === other.subject && one.query === other.query;
}
