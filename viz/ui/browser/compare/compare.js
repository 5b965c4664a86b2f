// The comparison: A and B side by side on one scale, A − B beside them; the arrow keys flip both.

import { REST_MS } from "../channel/channel.js";
import { Flips } from "../layer/flips.js";
import { Help } from "../layer/help.js";
import { Kind } from "../layer/kind.js";
import { drawHeading, frameTile } from "../layer/parts.js";
import { Presentation } from "../layer/present.js";
import { channelAt, fitted, rendering } from "../maps/mosaic.js";
import { Pages } from "../maps/pages.js";
import { addressOf, placeFields } from "../maps/question.js";
import { Room } from "../maps/room.js";
import { said } from "../maps/said.js";
import { stretched } from "../maps/signal.js";
import { onceGone } from "../page/gone.js";
import { Closer, LARGE_LEAST } from "./closer.js";
import { buildComparison, drawBars, drawProblem, drawSides, nameSides } from "./compare_parts.js";
import { channelInWords, fetchPair, pairAddress, SIDES } from "./pairs.js";

const comparisons = new WeakMap();

class Comparison extends Flips {
  constructor(parent) {
    super();
    this.store = new Pages(fetchPair);
    this.asked = new Room();
    this.parts = buildComparison(parent);
    this.closer = new Closer(this.parts.sides, () => this.parts.root.focus({ preventScroll: true }));
    this.kind = new Kind(this.parts);
    this.help = new Help(this.parts.root, this.parts.ask);
    this.presentation = new Presentation(this, this.parts.present);
    this.parts.previous.onclick = () => this.step(-1);
    this.parts.next.onclick = () => this.step(1);
    for (const side of SIDES) {
      const { frame } = this.parts.sides[side];
      frame.addEventListener("mousemove", (event) => this.hover(side, this.channelUnder(side, event)));
      frame.addEventListener("mouseleave", () => this.hover(side, null));
      frame.addEventListener("click", (event) => this.chooseChannel(this.channelUnder(side, event)));
    }
    this.listen(parent);
    this.stops.push(() => this.presentation.close());
  }

  // Follow the page if the visitor moved there; keep what is on screen if the move began here.
  update(data, report) {
    const led = this.isLed(data);
    Object.assign(this, { data, report, pages: data.pages, words: data.words, serial: data.serial });
    this.parts.root.dataset.subject = data.subject;
    this.help.name(data.words);
    this.presentation.name(data.words);
    if (led) this.presentation.set(data.present);
    nameSides(this);
    const shown = this.pages.findIndex((page) => page[0] === this.layer);
    if (!led && shown >= 0) return this.go(shown, this.call, false);
    this.channel = data.channel;
    this.other = [data.others.findIndex((page) => page[0] === data.other_layer), data.other_call];
    this.go(this.pages.findIndex((page) => page[0] === data.layer), data.call, false);
  }

  go(index, call, report = true) {
    const [layer, , , , reason] = this.pages[index];
    if (layer !== this.layer) {
      this.channel = report ? null : this.channel;
      this.closer.mark(null);
    }
    this.parts.body.hidden = false;
    this.space = this.room(); // measured once: a flip must not lay out the page again and again
    Object.assign(this, { index, call, layer });
    this.other = this.besides(index, call);
    this.reportLater(report);
    drawHeading(this);
    const problem = reason || this.data.others[this.other[0]][4];
    if (problem) return this.drawProblem(problem);
    const address = this.address(index, call);
    const ready = this.store.ready(address);
    if (ready) this.draw(ready);
    else this.fetchAndDraw(address, () => this.address(this.index, this.call) === address);
  }

  // Where B is while A shows a layer: at the same layer if it has it, else where it was.
  besides(index, call) {
    const same = this.data.follows ? this.data.others.findIndex((page) => page[0] === this.pages[index][0]) : -1;
    return same < 0 ? this.other : [same, Math.min(call, Math.max(0, this.data.others[same][3] - 1))];
  }

  at() {
    return { ...super.at(), other: this.data.others[this.other[0]][0] };
  }

  address(index, call) {
    const [otherIndex, otherCall] = this.besides(index, call);
    const { data, asked } = this;
    if (!asked.width) asked.measured(this.space);
    return pairAddress(data, [this.pages[index][0], call], [data.others[otherIndex][0], otherCall], asked);
  }

  // The room of one side's maps; below them the channel on screen is shown large.
  room() {
    const { sides, body } = this.parts;
    const left = Math.max(340, window.innerHeight - this.topOf(body) - this.presentation.below);
    return { width: Math.max(140, sides.left.root.clientWidth), height: 0.56 * left, large: Math.max(LARGE_LEAST, 0.44 * left - 30) };
  }

  draw(page) {
    this.page = page;
    this.parts.root.removeAttribute("aria-busy");
    if (page.error) return this.drawProblem(said(page, "error", this.words));
    const channels = Math.max(...Object.values(page.sides).map(({ facts }) => facts.geometry.channels), 0);
    const first = page.sides.left ?? page.sides.right;
    if (this.channel === null || this.channel === undefined || this.channel >= channels) this.channel = first?.facts.geometry.order[0] ?? 0;
    drawSides(this);
    this.fit();
    this.drawChannel();
    this.prefetch();
    this.tell();
  }

  tell() {
    window.dispatchEvent(new CustomEvent("layerglass:shown", { detail: { layer: this.layer, call: this.call } }));
  }

  drawProblem(sentence) {
    this.page = null;
    drawProblem(this, sentence);
    this.tell();
  }

  prefetch() {
    for (const by of [1, -1]) {
      const index = this.index + by;
      const page = this.pages[index];
      if (page && !page[4]) this.store.open(this.address(index, by < 0 ? page[3] - 1 : 0), true).catch(() => {});
    }
  }

  resized() {
    this.space = this.room();
    this.fit();
    this.onceSettled(() => {
      this.asked.measured(this.space);
      this.go(this.index, this.call, false);
    });
  }

  fit() {
    const room = this.space;
    this.scales = {};
    for (const [side, { facts, image }] of Object.entries(this.page?.sides ?? {})) {
      const { width, height } = facts.geometry;
      const scale = fitted(width, height, room.width, room.height);
      const stretch = stretched(facts, scale, room);
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
      this.channel = channel;
      this.drawChannel();
      this.reportLater(true);
    });
  }

  isNamed() {
    const { left, right } = this.page?.sides ?? {};
    return left ? this.isAt(left.facts) : Boolean(right);
  }

  stepChannel(by) {
    const first = this.page?.sides?.left ?? this.page?.sides?.right;
    if (first) this.chooseChannel(this.channelAfter(first.facts.geometry, by));
  }

  drawChannel() {
    this.mark();
    const { data, other, words, space: room } = this;
    this.closer.show(this.page, this.channel, {
      words,
      said: (text) => this.say(text),
      values: {
        left: addressOf(data.subject, "values", { ...data.look, ...placeFields(this.layer, this.call) }),
        right: addressOf(data.other_subject, "values", { ...data.other_look, ...placeFields(data.others[other[0]][0], other[1]) }),
      },
      room: { width: room.width - 80, height: room.large },
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

export default function ({ data, parentElement, setTriggerValue }) {
  let comparison = comparisons.get(parentElement);
  if (!comparison) {
    comparison = new Comparison(parentElement);
    comparisons.set(parentElement, comparison);
  }
  comparison.update(data, (at) => setTriggerValue("at", at));
  return onceGone(parentElement, () => {
    comparison.close();
    comparisons.delete(parentElement);
  });
}
