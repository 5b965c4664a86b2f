// The view of one layer: its mosaic, facts, channel and downloads.

import { AttentionPatches } from "../channel/attention.js";
import { ChannelPanel } from "../channel/channel.js";
import { ClassList } from "../channel/classes.js";
import { FilterDetails } from "../channel/filter.js";
import { liveliest } from "../channel/liveliest.js";
import { Study } from "../edits/ablation.js";
import { ExemplarsSection, hasExemplars } from "../exemplars/exemplars.js";
import { EditForm } from "../edits/edit_form.js";
import { EditList, editTarget } from "../edits/edits.js";
import { LiveMaps } from "../live/live_maps.js";
import { VIEWS } from "../look/fields.js";
import { USUAL } from "../look/look.js";
import { drawnQuery, seenAddress } from "../maps/addresses.js";
import { lay, magnified } from "../maps/magnify.js";
import { channelAt, tileBox } from "../maps/mosaic.js";
import { fetchPage } from "../maps/layer_file.js";
import { Pages } from "../maps/pages.js";
import { refusal as inWords, withoutMaps } from "../maps/said.js";
import { isOtherScheme } from "../maps/scheme.js";
import { drawSignal, stretched } from "../maps/signal.js";
import { NumberSection } from "../number/number.js";
import { canBeOptimised, OptimisedSection } from "../optimised/optimised.js";
import { unitOf } from "../unit/choosing.js";
import { UnitLink } from "../unit/link.js";
import { afterFrame } from "../page/after_frame.js";
import { isPhone } from "../phone/phone.js";
import { Sheet } from "../phone/sheet.js";
import { ReadingSection } from "../reading/reading.js";
import { Brighter } from "./brighter.js";
import { Copying } from "./copying.js";
import { Flips } from "./flips.js";
import { drawOptions, isLaidOutAs } from "./options.js";
import { Zoom } from "./zoom.js";
import {
  buildViewer, channelFacts, drawFacts, drawMosaic, drawNote, drawReason, frameTile,
} from "./parts.js";
import { stopAfter } from "./way.js";

/** @typedef {import("../maps/pages.js").Asked} Asked */

const NEIGHBOURS = [1, -1, 2, -2];
const pages = new Pages(fetchPage); // kept while the visitor looks at other things

/** @extends {Flips<import("./parts.js").ViewerParts, Page>} */
export class LayerView extends Flips {
  headings = { usual: 9.75, presented: 8.3 }; // the name of a layer and three lines, or two
  scale = 1; // of the maps on screen
  stretch = 1;
  heading = 0; // the way that the visitor flips: 1 or −1; 0 after any other choice
  sliding = false; // whether the sidebar does
  /** @type {number | undefined} */
  wide;

  /** @type {{width: number, height: number} | undefined} */
  area; // the room, measured when sizes change: a flip must not lay out the page again and again

  /** @type {?DrawnPage} */
  page = null; // on screen

  /** @type {?DrawnPage} */
  drawn = null; // the last that was no frame of the camera

  drawnAs = this.look;
  /** @type {?number} */
  hovered = null;

  /** @type {?{name: string, value: number, instead: number}} */
  vain = null; // what a link asked for and does not exist

  /** @type {?Answer} */
  refused = null; // why the maps are drawn with the defaults

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    super(page, buildViewer(root));
    this.panel = new ChannelPanel(this.parts.panel);
    this.panel.laid = (action) => this.choose(action);
    this.edits = new EditList(this.parts.edits, page, () => this.edited());
    this.study = new Study(this.parts.study, (channel) => this.chooseChannel(channel));
    this.unitLink = new UnitLink(this.panel.head, () => this.unit.toggle());
    this.form = new EditForm(this.panel.head, {
      add: (edit) => this.onceNamed(() => this.edits.add(edit)),
      study: () => this.onceNamed(() => { if (this.page) this.study.run(this.page, this.layer, this.words); }),
    });
    this.number = new NumberSection(this);
    this.reading = new ReadingSection(this);
    this.kind.toggled = () => this.reading.follow();
    this.filter = new FilterDetails(this.panel.root, page);
    this.exemplars = new ExemplarsSection(this.panel.root, page);
    this.optimised = new OptimisedSection(this.panel.root, page);
    this.attention = new AttentionPatches(this);
    this.classes = new ClassList(this);
    this.copying = new Copying(this);
    this.live = new LiveMaps(this);
    this.zoom = new Zoom(this);
    this.parts.reduce.onclick = () => this.reduced.toggle();
    this.brighter = new Brighter(this.parts.brighter, this);
    this.parts.frame.addEventListener("mousemove", (event) => this.hover(this.channelUnder(event)));
    this.parts.frame.addEventListener("mouseleave", () => this.hover(null));
    this.sheet = new Sheet(this);
    this.parts.frame.addEventListener("click", (event) => this.tapped(this.channelUnder(event)));
    this.listen(root);
    for (const part of [this.live, this.number, this.reading, this.filter, this.exemplars, this.optimised]) this.stops.push(() => part.close());
    this.stops.push(() => page.store.shows(null));
    this.stops.push(() => this.sheet.end());
    this.stops.push(() => this.study.keepTo(null));
  }

  // The space bar plays the layer's explanation.
  get play() {
    return this.reading.open ? this.reading : undefined;
  }

  get gradient() {
    return Boolean(VIEWS[this.look.view].gradient);
  }

  // Go to the page of the unit on screen.
  unit = {
    toggle: () => this.onceNamed(() => {
      const { layer, call, channel } = this;
      this.choose({ type: "link", look: unitOf(this.look, { layer, call, channel }) });
    }),
  };

  // Go to the layer as one picture.
  reduced = {
    toggle: () => { if (!this.parts.reduce.hidden) this.choose({ type: "view", view: "reduced" }); },
  };

  // Another layer, another way of drawing it, or another channel: fetch the missing parts, and draw.
  /** @type {(look: Look, before: Look | undefined) => void} */
  follow(look, before) {
    if (before && (look.layer !== before.layer || look.call !== before.call)) this.heading = this.stepFrom(before);
    if (look.layer !== before?.layer || !isLaidOutAs(look, before ?? look)) this.refused = null;
    this.edits.show(look, this.words, this.gradient);
    const waits = this.waits(), { reason } = this.rows[this.index];
    if (waits) return drawReason(this, waits);
    if (reason) return drawReason(this, ...withoutMaps(reason, this.words));
    if (this.live.on) return undefined; // the next frame of the camera shows it
    const asked = this.asked();
    if (this.page && !this.page.live && isSame(this.page, asked) && !this.spoken) return this.stay(look, this.page);
    if (this.page && this.isNamed() && look.channel !== before?.channel) this.followChannel(look, this.page); // quick fingers go on meanwhile
    Object.assign(this, { spoken: false });
    const ready = pages.ready(asked);
    if (ready) return this.draw(ready);
    return void this.fetchAndDraw(pages, asked, () => isSame(asked, this.asked()));
  }

  // The maps that the look asks for are on screen, whatever else was asked for meanwhile.
  /** @type {(look: Look, page: DrawnPage) => void} */
  stay(look, page) {
    this.parts.root.removeAttribute("aria-busy");
    this.followChannel(look, page);
  }

  // Only the channel or the cell, or nothing that concerns the maps, has changed.
  /** @type {(look: Look, page: DrawnPage) => void} */
  followChannel(look, page) {
    if (look.channel === this.channel && this.drawn === page) {
      this.panel.lie(look);
      return this.number.follow(page);
    }
    const { vain } = this;
    this.keepChannel(page.facts);
    if (vain !== this.vain) drawNote(this, page);
    this.drawChannel(page);
  }

  // Draw the edits' texts, which come after the maps: beside them, and on the button that takes one back.
  edited() {
    if (!this.page || !isSame(this.page, this.asked())) return;
    drawFacts(this, this.page);
    this.drawChannel(this.page);
  }

  /** @param {Page} page */
  draw(page) {
    this.page = this.drawn = page.facts ? page : null;
    this.drawnAs = this.look;
    this.parts.root.removeAttribute("aria-busy");
    if (!page.facts) return this.refuse(page);
    this.keepChannel(page.facts);
    drawMosaic(this, page);
    this.fit();
    drawFacts(this, page);
    drawOptions(this.parts.options, page.facts, this.words, (action) => this.choose(action));
    this.study.keepTo(page);
    this.drawChannel(page);
    afterFrame(() => { if (this.page === page && !this.closed) this.afterMaps(); });
    return undefined;
  }

  // With the maps on screen, there is time for the next ones, and a look at the theme costs nothing.
  afterMaps() {
    if (isOtherScheme()) this.stage.tell();
    else this.prefetch();
  }

  // The look's channel if the layer has it, else one that these maps alone decide: an address has no more.
  /** @param {LayerFacts} facts */
  keepChannel(facts) {
    const { channel } = this.look;
    const there = channel !== null && channel < facts.geometry.channels;
    this.channel = there ? channel : liveliest(facts);
    this.vain = there || channel === null ? null : { name: "channel", value: channel, instead: this.channel };
  }

  // A layer that cannot be drawn as a link says, or as chosen for another picture, is drawn with the defaults.
  /** @param {Answer} refusal */
  refuse(refusal) {
    if (isLaidOutAs(this.look, USUAL)) return drawReason(this, ...inWords(refusal, this.words));
    this.stage.store.settle({ type: "link", look: Object.freeze({ ...this.look, ...USUAL }) });
    this.refused = refusal;
    if (this.page) drawNote(this, this.page); // else once the maps have come
    return undefined;
  }

  // A frame of the camera: what only makes sense for a lasting picture is left out.
  /** @param {DrawnPage} page */
  drawLive(page) {
    this.stage.store.fix(); // each frame would choose another channel
    const other = !this.page || this.page.query !== page.query;
    Object.assign(this, { page, drawnAs: this.look });
    this.parts.root.removeAttribute("aria-busy");
    this.keepChannel(page.facts);
    drawMosaic(this, page);
    this.fit();
    drawFacts(this, page);
    if (other) drawOptions(this.parts.options, page.facts, this.words, (action) => this.choose(action));
    this.drawChannel(page);
  }

  // The neighbours, or after a flip the next two on the way; the one behind is here already.
  prefetch() {
    const { heading } = this;
    for (const by of heading ? [heading, 2 * heading] : NEIGHBOURS) {
      const stop = this.stop(by);
      if (stop) this.fetchAhead(stop.row, stop.call);
    }
  }

  // Direction of a look from another: 1 or -1 if it is one step on or back, else 0.
  /** @param {Look} before */
  stepFrom({ layer, call }) {
    return [1, -1].find((by) => {
      const stop = stopAfter(this.stage.way, this.rows, { layer, call }, by);
      return stop?.row.name === this.layer && stop.call === this.call;
    }) ?? 0;
  }

  /** @param {string} layer */
  expect(layer) {
    const row = this.rows.find(({ name }) => name === layer);
    if (row && !this.live.on) this.fetchAhead(row, 0);
  }

  // While the sidebar slides, the room for other layers is not known yet.
  /** @type {(row: LayerRow, call: number) => void} */
  fetchAhead(row, call) {
    if (this.sliding || row.reason || this.waits(row)) return;
    pages.open(this.asked(row.name, call), true).catch(() => {});
  }

  // The request for a layer, in the room that it has.
  asked(layer = this.layer, call = this.call) {
    if (!this.space.width) this.measureSpace();
    const usual = layer === this.layer ? {} : USUAL;
    return { subject: this.data.subject, query: `${drawnQuery({ ...this.look, ...usual, layer, call })}&${this.space.query()}` };
  }

  // The space that the mosaic may take without making the page scroll, however far it is scrolled now. On a phone
  // the page scrolls anyway.
  room(heading = this.headingHeight()) {
    const { main, root } = this.parts;
    const least = isPhone() ? 2.1 * main.clientWidth : 260; // as wide as the page, and as tall as that takes
    const height = window.innerHeight - this.topOf(root) - heading - this.presentation.below;
    return { width: Math.max(160, main.clientWidth), height: Math.max(least, height) };
  }

  // What stands above the maps. What explains the layer moves them, and takes none of their room.
  headingHeight() {
    const { reading, room, root } = this.parts;
    return this.topOf(room) - this.topOf(root) - reading.offsetHeight;
  }

  resized() {
    const wide = this.parts.root.clientWidth;
    this.sliding ||= wide !== (this.wide ?? wide);
    this.wide = wide;
    this.area = this.room();
    this.fit();
    this.onceSettled(() => {
      this.sliding = false;
      this.area = this.room();
      this.measureSpace();
      this.follow(this.look, this.look);
    });
  }

  fit() {
    if (!this.page) return;
    const { image, facts } = this.page;
    const area = this.area ??= this.room();
    Object.assign(this, stretched(facts, magnified(facts.geometry, area), area));
    lay(image, this.parts.frame, facts.geometry, this);
    this.parts.room.style.setProperty("--room", `${area.height}px`);
    drawSignal(this, facts);
    this.markTiles();
    this.zoom.draw();
  }

  /** @param {MouseEvent} event */
  channelUnder(event) {
    if (!this.page) return null;
    if (this.zoom.isOn) return this.zoom.channelUnder(event);
    const box = this.page.image.getBoundingClientRect();
    return channelAt(this.page.facts.geometry, (event.clientX - box.left) / this.scale, (event.clientY - box.top) / this.scale / this.stretch);
  }

  // Targets of a pointer: a map by its channel, in the mosaic or large. `chosen` is the one that the keys are on.
  pointable = {
    chosen: () => (this.page ? `map ${this.channel}` : null),
    count: () => this.page?.facts.geometry.channels ?? 0,
    under: (/** @type {MouseEvent} */ event) => {
      if (event.target === this.panel.canvas) return `large ${this.channel}`;
      const channel = event.target instanceof Node && this.parts.room.contains(event.target) ? this.channelUnder(event) : null;
      return channel === null ? null : `map ${channel}`;
    },
    boxOf: (/** @type {string} */ what) => {
      const [, where, number] = /^(map|large) (\d{1,5})$/.exec(what) ?? [];
      if (!this.page || number === undefined) return null;
      if (where === "large") return this.channel === Number(number) ? this.panel.canvas.getBoundingClientRect() : null;
      return this.mapBox(this.page, Number(number));
    },
  };

  // Box of a channel's map on the screen.
  /** @type {(page: DrawnPage, channel: number) => ?import("../class_screen/pointing.js").Box} */
  mapBox({ image, facts: { geometry } }, channel) {
    if (channel >= geometry.channels) return null;
    if (this.zoom.isOn) return channel === this.zoom.channel ? this.zoom.boxOnScreen : null;
    const { left, top } = image.getBoundingClientRect(), { scale, stretch } = this, tile = tileBox(geometry, channel);
    return { left: left + tile.x * scale, top: top + tile.y * scale * stretch, width: tile.width * scale, height: tile.height * scale * stretch };
  }

  /** @param {?number} channel */
  hover(channel) {
    if (!this.page || channel === this.hovered) return;
    this.hovered = channel;
    this.markTiles();
    this.parts.status.textContent = channel === null ? this.words.choose_channel : this.factsOf(this.page.facts, channel);
  }

  // Facts of a channel under the pointer: first the class, if it stands for one.
  /** @type {(facts: LayerFacts, channel: number) => string} */
  factsOf(facts, channel) {
    return [this.classes.nameOf(channel), channelFacts(facts, channel, this.words)].filter(Boolean).join(" · ");
  }

  // A click on the mosaic chooses its channel; on a phone it comes as a sheet.
  /** @param {?number} channel */
  tapped(channel) {
    if (channel !== null && this.isNamed()) this.sheet.open(this.layer, channel === this.look.channel);
    this.chooseChannel(channel);
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

  // True if the maps on screen are those of the layer that the page names, though perhaps with other edits or colours.
  isNamed() {
    const { look, drawnAs } = this;
    return this.page?.subject === this.data.subject && look.layer === drawnAs.layer && look.call === drawnAs.call && isLaidOutAs(look, drawnAs);
  }

  /** @param {number} by */
  stepChannel(by) {
    if (this.page) this.chooseChannel(this.channelAfter(this.page.facts.geometry, by));
  }

  /** @param {DrawnPage} page */
  drawChannel(page) {
    const { channel, words, data, look } = this;
    this.stage.store.shows({ layer: page.facts.layer, channel });
    this.markTiles();
    const target = editTarget(this);
    this.form.draw(target, channel, target !== null && this.edits.removed(target, channel), data);
    this.zoom.name(words);
    this.unitLink.show(page, words);
    this.offerReduced(page);
    this.panel.show(page, channel, { words, seen: page.seen ?? seenAddress(data.subject), colours: data.colours, lay: look.lay, overlay: look.overlay });
    this.number.follow(page);
    this.reading.follow();
    this.filter.follow({ page, channel, words });
    const { layer, call, kind } = page.facts, about = { subject: data.subject, layer, call, kind, channel };
    this.exemplars.follow(this.gradient || page.live || !hasExemplars(page.facts) ? null : about);
    this.optimised.follow(this.gradient || page.live || !canBeOptimised(page.facts) ? null : about);
    this.attention.follow({ page, channel, words, data });
    this.classes.follow({ page, channel, words, data });
    this.zoom.follow();
  }

  // Several maps with places can be seen as one.
  /** @param {DrawnPage} page */
  offerReduced({ live, facts: { geometry: { channels, map_height: height, map_width: width } } }) {
    const { reduce } = this.parts, { words } = this;
    reduce.hidden = this.gradient || Boolean(live) || channels < 2 || height * width < 2;
    reduce.textContent = words.reduced_open;
    reduce.title = words.reduced_open_title;
  }

  markTiles() {
    if (!this.page) return;
    frameTile(this.parts.selected, this.page.facts.geometry, this.channel, this);
    const there = this.hovered !== null && this.hovered < this.page.facts.geometry.channels; // keys lead on under a pointer that rests
    frameTile(this.parts.hovered, this.page.facts.geometry, there ? this.hovered : null, this);
  }

  redrawChannel() {
    if (this.page) this.drawChannel(this.page);
  }
}

/** @type {(one: Asked, other: Asked) => boolean} */
function isSame(one, other) {
  return one.subject === other.subject && one.query === other.query;
}
