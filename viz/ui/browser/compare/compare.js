// The comparison: A and B side by side on one scale, A − B beside them; the arrow keys flip both.

import { REST_MS } from "../channel/channel.js";
import { Flips } from "../layer/flips.js";
import { frameTile } from "../layer/parts.js";
import { channelAt, filled, fitted, rendering } from "../maps/mosaic.js";
import { Pages } from "../maps/pages.js";
import { Room } from "../maps/room.js";
import { said } from "../maps/said.js";
import { stretched } from "../maps/signal.js";
import { Choices } from "./choices.js";
import { Closer, LARGE_LEAST } from "./closer.js";
import { buildComparison, drawBars, drawNotices, drawProblem, drawSides, nameSides } from "./compare_parts.js";
import { modelSaid, OtherSide } from "./other.js";
import { besideCosts, drawPending } from "./pending.js";
import { channelInWords, fetchPair, pairAsked, sideAsked, SIDES } from "./pairs.js";
import { callBeside, layerBeside } from "./place.js";

const pages = new Pages(fetchPair); // kept while the visitor looks at other things

export class Compare extends Flips {
  constructor(root, page) {
    super(page, buildComparison(root));
    this.space = new Room();
    this.choices = new Choices(this.parts.choices, page);
    this.other = new OtherSide(page, () => { if (!this.closed) this.follow(this.look, this.look); });
    this.closer = new Closer(this.parts.sides, () => this.parts.root.focus({ preventScroll: true }));
    for (const side of SIDES) {
      const { frame } = this.parts.sides[side];
      frame.addEventListener("mousemove", (event) => this.hover(side, this.channelUnder(side, event)));
      frame.addEventListener("mouseleave", () => this.hover(side, null));
      frame.addEventListener("click", (event) => this.chooseChannel(this.channelUnder(side, event)));
    }
    this.listen(root);
    this.stops.push(() => this.other.close(), () => this.choices.close(), () => clearTimeout(this.resting));
  }

  // Another layer, another side, or another channel: fetch what is not here yet, and draw.
  follow(look, before) {
    this.takeUpload();
    this.other.follow(look);
    const { found } = this.other;
    this.choices.show(found);
    drawNotices(this, found);
    if (look.layer !== before?.layer) this.closer.mark(null);
    if (!this.other.isCurrent) return this.wait();
    if (!found.subject) return drawPending(this, found);
    nameSides(this);
    this.theirs = this.beside(look);
    const question = this.question(look);
    if (question) return this.draw({ question });
    const reason = this.rows[this.index].reason ?? this.theirs.row.reason;
    if (reason) return this.drawProblem(reason);
    return this.followMaps(look, found);
  }

  followMaps(look, found) {
    this.parts.body.hidden = false;
    this.area ??= this.room();
    const asked = this.asked(look);
    const same = this.page && isSame(this.page, asked) && this.drawn === found && !this.spoken;
    if (same) return this.followChannel(look);
    Object.assign(this, { spoken: false, drawn: found });
    const ready = pages.ready(asked);
    if (ready) return this.draw(ready);
    return this.fetchAndDraw(pages, asked, () => this.other.isCurrent && isSame(asked, this.asked(this.look)));
  }

  followChannel(look) {
    this.parts.root.removeAttribute("aria-busy");
    if (!this.page.sides || look.channel === this.channel) return;
    this.keepChannel();
    this.drawChannel();
  }

  // A picture that was brought for this side is shown once Python has it.
  takeUpload() {
    const { own = [], picture } = this.data;
    const names = own.map(({ name }) => name);
    const brought = this.own && names.find((name) => !this.own.includes(name) && name !== picture);
    this.own = names;
    if (brought) this.choose({ type: "other", other: { with_sample: brought } });
  }

  // The server has not said yet what the other side is.
  wait() {
    const model = modelSaid(this.look, this.data);
    this.parts.root.setAttribute("aria-busy", "true");
    if (model !== this.data.model) this.parts.status.textContent = filled(this.words.loading_model, { model });
  }

  // Where B is while A shows the look's layer.
  beside(look) {
    const { found } = this.other;
    const first = found.rows.find(({ name }) => name === found.first);
    const row = layerBeside(this.data.rows, found.rows, look, first);
    return { row, call: callBeside(row, look) };
  }

  // What either side's layer would cost, if that has to be asked first.
  question(look) {
    const costs = besideCosts(this.stage, this.other.found);
    return this.stage.costs.question({ ...look, view: "layer" }) ?? costs.question({ ...look, view: "layer", layer: this.theirs.row.name });
  }

  asked(look, beside = this.beside(look)) {
    if (!this.space.width) this.space.measured(this.area);
    return pairAsked(this.data.subject, look, this.other.found, beside, this.space);
  }

  // The room of one side's maps; below them the channel on screen is shown large.
  room() {
    const { sides, body } = this.parts;
    const left = Math.max(340, window.innerHeight - this.topOf(body) - this.presentation.below);
    return { width: Math.max(140, sides.left.root.clientWidth), height: 0.56 * left, large: Math.max(LARGE_LEAST, 0.44 * left - 30) };
  }

  draw(page) {
    if (page.question) return drawPending(this, page);
    this.page = page;
    this.parts.root.removeAttribute("aria-busy");
    if (page.error) return this.drawProblem(said(page, "error", this.words), page);
    this.keepChannel();
    drawSides(this);
    this.area = this.room(); // measured once: a flip must not lay out the page again and again
    this.fit();
    this.drawChannel();
    this.prefetch();
    return undefined;
  }

  // Keep the look's channel if a side has it, else show the first.
  keepChannel() {
    const { channel } = this.look;
    const channels = Math.max(...Object.values(this.page.sides).map(({ facts }) => facts.geometry.channels), 0);
    const first = this.page.sides.left ?? this.page.sides.right;
    this.channel = channel !== null && channel < channels ? channel : first?.facts.geometry.order[0] ?? 0;
  }

  drawProblem(sentence, page = null) {
    this.page = page;
    drawProblem(this, sentence);
  }

  prefetch() {
    const costs = besideCosts(this.stage, this.other.found);
    for (const by of [1, -1]) {
      const row = this.rows[this.index + by];
      if (!row || row.reason || this.waits(row)) continue;
      const look = { ...this.look, layer: row.name, call: by < 0 ? Math.max(0, row.calls - 1) : 0 };
      const beside = this.beside(look);
      if (beside.row.reason || costs.waits(beside.row)) continue;
      pages.open(this.asked(look, beside), true).catch(() => {});
    }
  }

  resized() {
    this.area = this.room();
    this.fit();
    this.onceSettled(() => {
      this.area = this.room();
      this.space.measured(this.area);
      this.follow(this.look, this.look);
    });
  }

  fit() {
    this.scales = {};
    for (const [side, { facts, image }] of Object.entries(this.page?.sides ?? {})) {
      const { width, height } = facts.geometry;
      const scale = fitted(width, height, this.area.width, this.area.height);
      const stretch = stretched(facts, scale, this.area);
      this.scales[side] = { scale, stretch };
      image.style.width = `${width * scale}px`;
      image.style.height = `${height * scale * stretch}px`;
      image.style.imageRendering = rendering(scale);
    }
    this.mark();
  }

  channelUnder(side, event) {
    const page = this.page?.sides?.[side];
    if (!page) return null;
    const box = page.image.getBoundingClientRect();
    const { scale, stretch } = this.scales[side];
    return channelAt(page.facts.geometry, (event.clientX - box.left) / scale, (event.clientY - box.top) / scale / stretch);
  }

  hover(side, channel) {
    const hovering = channel === null ? "" : `${side} ${channel}`;
    if (!this.page?.sides || hovering === this.hovering) return;
    Object.assign(this, { hovering, hovered: channel });
    this.mark();
    this.say(channel === null ? "" : channelInWords(this.page, side, channel, this.words));
  }

  say(text) {
    this.parts.status.textContent = text || this.words.pair_choose;
  }

  chooseChannel(channel) {
    this.parts.root.focus({ preventScroll: true });
    if (channel === null) return;
    this.onceNamed(() => {
      this.presentation.withChannel(true);
      this.choose({ type: "channel", channel });
    });
  }

  // Whether the maps on screen are those that the look names.
  isNamed() {
    return Boolean(this.page?.sides) && this.other.isCurrent && isSame(this.page, this.asked(this.look));
  }

  stepChannel(by) {
    const first = this.page?.sides?.left ?? this.page?.sides?.right;
    if (first) this.chooseChannel(this.channelAfter(first.facts.geometry, by));
  }

  drawChannel() {
    this.mark();
    const { data, look, theirs, words, area, other: { found } } = this;
    const edited = found.model === data.model && found.chosen.with_edits === "same";
    this.closer.show(this.page, this.channel, {
      words,
      said: (text) => this.say(text),
      values: {
        left: sideAsked(data.subject, look, { layer: this.layer, call: this.call }, true),
        right: sideAsked(found.subject, look, { layer: theirs.row.name, call: theirs.call }, edited),
      },
      room: { width: area.width - 80, height: area.large },
    });
    this.drawMoreLater();
  }

  // Once the visitor stays: not for every flip.
  drawMoreLater() {
    for (const side of SIDES) this.parts.sides[side].bar.style.visibility = "hidden";
    clearTimeout(this.resting);
    this.resting = setTimeout(() => { if (this.page?.sides) this.drawRested(); }, REST_MS);
  }

  drawRested() {
    drawBars(this);
    this.closer.drawWhole();
  }

  redrawChannel() {
    if (this.page?.sides) this.drawChannel();
  }

  mark() {
    for (const [side, { facts }] of Object.entries(this.page?.sides ?? {})) {
      const { selected, hovered } = this.parts.sides[side];
      const here = (channel) => (channel !== null && channel !== undefined && channel < facts.geometry.channels ? channel : null);
      frameTile(selected, facts.geometry, here(this.channel), this.scales[side]);
      frameTile(hovered, facts.geometry, here(this.hovered), this.scales[side]);
    }
  }
}

function isSame(one, other) {
  return one.subject === other.subject && one.query === other.query;
}
