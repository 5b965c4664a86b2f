// The viewer: one mosaic at a time, flipped in the browser, with its facts, its channel and its downloads.

import { AttentionPatches } from "../channel/attention.js";
import { ChannelPanel } from "../channel/channel.js";
import { FilterDetails } from "../channel/filter.js";
import { Study } from "../edits/ablation.js";
import { EditForm } from "../edits/edit_form.js";
import { EditList, editTarget } from "../edits/edits.js";
import { LiveMaps } from "../live/live_maps.js";
import { channelAt, fitted, rendering } from "../maps/mosaic.js";
import { pageAddress, Pages } from "../maps/pages.js";
import { aboutOf, addressOf } from "../maps/question.js";
import { Room } from "../maps/room.js";
import { said } from "../maps/said.js";
import { drawSignal, stretched } from "../maps/signal.js";
import { NumberSection } from "../number/number.js";
import { onceGone } from "../page/gone.js";
import { Copying } from "./copying.js";
import { Flips } from "./flips.js";
import { Help } from "./help.js";
import { Kind } from "./kind.js";
import { Options } from "./options.js";
import { Outbox } from "./outbox.js";
import {
  buildViewer, channelFacts, drawFacts, drawHeading, drawMosaic, drawNote, drawReason, frameTile,
  inkColour,
} from "./parts.js";
import { Presentation } from "./present.js";

const NEIGHBOURS = [1, -1, 2, -2];
const viewers = new WeakMap();

class Viewer extends Flips {
  constructor(parent) {
    super();
    this.store = new Pages();
    this.space = new Room();
    this.parts = buildViewer(parent);
    this.panel = new ChannelPanel(this.parts.panel);
    this.options = new Options(this.parts.options, () => this.redrawn());
    this.outbox = new Outbox();
    const send = (edit) => this.sendEdit(edit);
    this.edits = new EditList(this.parts.edits, { changed: () => this.go(this.index, this.call, false), send, compare: () => this.lookBeside() });
    this.study = new Study(this.parts.study, (channel) => this.chooseChannel(channel));
    this.form = new EditForm(this.panel.head, {
      send: (edit) => this.onceNamed(() => this.sendEdit(edit)),
      study: () => this.onceNamed(() => this.study.run(this.page.key, this.layer, this.words)),
    });
    this.number = new NumberSection(this);
    this.filter = new FilterDetails(this.panel.root);
    this.attention = new AttentionPatches(this);
    this.copying = new Copying(this);
    this.kind = new Kind(this.parts);
    this.help = new Help(this.parts.root, this.parts.ask);
    this.presentation = new Presentation(this, this.parts.present);
    this.live = new LiveMaps(this);
    this.parts.previous.onclick = () => this.step(-1);
    this.parts.next.onclick = () => this.step(1);
    this.parts.frame.addEventListener("mousemove", (event) => this.hover(this.channelUnder(event)));
    this.parts.frame.addEventListener("mouseleave", () => this.hover(null));
    this.parts.frame.addEventListener("click", (event) => this.chooseChannel(this.channelUnder(event)));
    this.listen(parent);
    for (const part of [this.presentation, this.live, this.number]) this.stops.push(() => part.close());
  }

  // Follow the page if the visitor moved there; keep what is on screen if the move began here, even while the page
  // does not know of it yet.
  update(data, report) {
    const led = this.isLed(data);
    Object.assign(this, { data, report, pages: data.pages, words: data.words, serial: data.serial });
    if (led && data.drawn_as) this.drawAs(data.drawn_as);
    this.parts.root.dataset.subject = data.subject;
    this.outbox.heard(data.heard_edits);
    this.edits.draw(data.edits, data.words, data.gradient);
    this.help.name(data.words);
    this.presentation.name(data.words);
    if (led) this.presentation.set(data.present);
    const shown = this.pages.findIndex((page) => page[0] === this.layer);
    if (led || shown < 0) {
      this.channel = data.channel;
      this.go(this.pages.findIndex((page) => page[0] === data.layer), data.call, false);
    } else this.go(shown, this.call, false);
  }

  at() {
    return { ...super.at(), edits: this.outbox.waiting, beside: Boolean(this.beside) };
  }

  // With and without the edits, side by side: the page switches to the comparison, and this viewer ends.
  lookBeside() {
    this.beside = true;
    this.tellPage();
  }

  sendEdit(edit) {
    this.outbox.add(edit);
    this.tellPage();
  }

  // Undo the last change of the edits, whatever it was; the server knows the state before it.
  undo(event) {
    event.preventDefault();
    this.sendEdit({ back: 1 });
  }

  // Draw the layer as the visitor's link says.
  drawAs(asked) {
    this.layer = this.data.layer; // otherwise `go` would reset the choices
    this.refused = this.vain = null;
    this.asked = asked.channel;
    this.options.begin(asked);
    this.edits.begin(asked);
  }

  redrawn() {
    this.refused = null;
    this.go(this.index, this.call, false);
  }

  go(index, call, report = true) {
    const [layer, , , , reason] = this.pages[index];
    if (layer !== this.layer) {
      this.channel = report ? null : this.channel;
      this.options.reset();
      this.refused = this.vain = null;
    }
    Object.assign(this, { index, call, layer });
    this.reportLater(report);
    drawHeading(this);
    if (reason) return drawReason(this, reason);
    if (this.live.on) return; // the next frame of the camera shows it
    const ready = this.store.ready(this.address(index, call));
    if (ready) this.draw(ready);
    else this.load(index, call);
  }

  load(index, call) {
    const about = aboutOf(this.data);
    this.fetchAndDraw(this.address(index, call), () => aboutOf(this.data) === about && this.index === index && this.call === call);
  }

  draw(page) {
    Object.assign(this, { page, model: this.data.model });
    this.parts.root.removeAttribute("aria-busy");
    if (page.error) return this.refuse(page);
    this.keepChannel(page.facts.geometry);
    drawMosaic(this);
    this.fit();
    drawFacts(this);
    this.options.draw(page.facts, this.words, (chosen) => this.go(this.index, chosen));
    this.study.keepTo(page.key);
    this.drawChannel();
    this.prefetch();
    window.dispatchEvent(new CustomEvent("layerglass:shown", { detail: { layer: this.layer, call: this.call } }));
  }

  // Keep the channel if the layer has it; if a link asked for one that does not exist, say so.
  keepChannel({ channels, order }) {
    const { asked, channel } = this;
    this.asked = null;
    if (channel < channels && channel !== null) return;
    this.channel = order[0] ?? 0;
    // The page is not told: a run of its script would remove what else it says about the address.
    if (asked === String(channel)) this.vain = { name: "channel", value: asked, instead: this.channel };
  }

  // A layer that cannot be drawn as a link says, or as chosen for another picture, is drawn with the defaults.
  refuse(page) {
    if (!Object.keys(this.options.fields()).length) return drawReason(this, said(page, "error", this.words));
    this.options.reset();
    this.refused = page;
    this.go(this.index, this.call, false);
  }

  // A frame of the camera: what only makes sense for a lasting picture is left out.
  drawLive(page) {
    const other = this.page?.key !== page.key;
    Object.assign(this, { page, model: this.data.model });
    this.parts.root.removeAttribute("aria-busy");
    this.keepChannel(page.facts.geometry);
    drawMosaic(this);
    this.fit();
    drawFacts(this);
    if (other) this.options.draw(page.facts, this.words, (chosen) => this.go(this.index, chosen));
    this.drawChannel();
  }

  // While the sidebar slides, the room for the neighbours is not known yet.
  prefetch() {
    if (this.sliding) return;
    for (const by of NEIGHBOURS) {
      const page = this.pages[this.index + by];
      if (page && !page[4]) this.store.open(this.address(this.index + by, by < 0 ? page[3] - 1 : 0), true).catch(() => {});
    }
    const calls = this.pages[this.index][3];
    for (const call of [this.call + 1, this.call - 1]) {
      if (call >= 0 && call < calls) this.store.open(this.address(this.index, call), true).catch(() => {});
    }
  }

  address(index, call) {
    const options = index === this.index ? this.options.fields() : {};
    if (!this.space.width) this.space.measured(this.room());
    return pageAddress(this.data, this.pages[index][0], call, this.space, { ...options, ...this.edits.fields() });
  }

  // The space that the mosaic may take without making the page scroll, however far it is scrolled now. On a phone
  // the page scrolls anyway.
  room() {
    const { main } = this.parts;
    const least = window.innerWidth <= 640 ? 0.6 * window.innerHeight : 260;
    return { width: Math.max(160, main.clientWidth), height: Math.max(least, window.innerHeight - this.topOf(main) - this.presentation.below) };
  }

  resized() {
    const wide = this.parts.root.clientWidth;
    this.sliding ||= wide !== (this.wide ?? wide);
    this.wide = wide;
    this.fit();
    this.onceSettled(() => {
      this.sliding = false;
      this.space.measured(this.room());
      this.go(this.index, this.call, false);
    });
  }

  fit() {
    if (!this.page?.facts) return;
    const { width, height } = this.page.facts.geometry;
    const room = this.room();
    this.scale = fitted(width, height, room.width, room.height);
    this.stretch = stretched(this.page.facts, this.scale, room);
    const { image } = this.page;
    image.style.width = `${width * this.scale}px`;
    image.style.height = `${height * this.scale * this.stretch}px`;
    drawSignal(this);
    image.style.imageRendering = rendering(this.scale);
    this.markTiles();
  }

  channelUnder(event) {
    if (!this.page?.facts) return null;
    const box = this.page.image.getBoundingClientRect();
    return channelAt(this.page.facts.geometry, (event.clientX - box.left) / this.scale, (event.clientY - box.top) / this.scale / this.stretch);
  }

  hover(channel) {
    if (!this.page?.facts || channel === this.hovered) return;
    this.hovered = channel;
    this.markTiles();
    this.parts.status.textContent = channel === null ? this.words.choose_channel : channelFacts(this, channel);
  }

  chooseChannel(channel) {
    this.parts.root.focus({ preventScroll: true });
    if (channel === null) return;
    this.onceNamed(() => {
      this.channel = channel;
      if (this.vain) drawNote(Object.assign(this, { vain: null }));
      this.presentation.withChannel(true);
      this.drawChannel();
      this.reportLater(true);
    });
  }

  isNamed() {
    const { facts } = this.page ?? {};
    return Boolean(facts) && this.model === this.data.model && this.isAt(facts) && this.options.fit(facts);
  }

  stepChannel(by) {
    if (!this.page?.facts) return;
    this.chooseChannel(this.channelAfter(this.page.facts.geometry, by));
  }

  drawChannel() {
    this.markTiles();
    const target = editTarget(this);
    this.form.draw(target, this.channel, target !== null && this.edits.removed(target, this.channel), this.data);
    this.panel.show(this.page, this.channel, { words: this.words, seen: this.page.seen ?? addressOf(this.data.subject, "seen.png"), ink: inkColour(this.parts.root) });
    this.number.follow();
    this.filter.follow(this);
    this.attention.follow(this);
  }

  markTiles() {
    if (!this.page?.facts) return;
    frameTile(this.parts.selected, this.page.facts.geometry, this.channel, this);
    frameTile(this.parts.hovered, this.page.facts.geometry, this.hovered ?? null, this);
  }

  redrawChannel() {
    if (this.page?.facts) this.drawChannel();
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  let viewer = viewers.get(parentElement);
  if (!viewer) {
    viewer = new Viewer(parentElement);
    viewers.set(parentElement, viewer);
  }
  viewer.update(data, (at) => setTriggerValue("at", at));
  return onceGone(parentElement, () => {
    viewer.close();
    viewers.delete(parentElement);
  });
}
