// The panel of one channel: large map, colour bar, exact values, overlay on the picture.

import { aboutWhole } from "../maps/addresses.js";
import { Axes } from "../maps/axes.js";
import { CellCursor } from "../maps/cell_cursor.js";
import { lyingBox, redraw, SHIFTED } from "../layer/options.js";
import { drawHistogram } from "../maps/histogram.js";
import { filling } from "../maps/magnify.js";
import { element, filled, isShrunk, percent, readable, rendering, tileBox } from "../maps/mosaic.js";
import { FORMS } from "../look/fields.js";
import { percentSlider } from "../maps/percent_slider.js";
import { paragraph, withMore } from "../maps/said.js";
import { placeText } from "../maps/shape.js";
import { digits } from "../number/digits.js";
import { fieldFrame } from "../number/number.js";
import { ASK_AGAIN_MS } from "../page/asking.js";
import { rem } from "../page/text_size.js";
import { laidOut } from "./laying.js";

export const REST_MS = 300;
const AXIS = 32; // pixels beside the map, for the numbers of its rows
const LARGE_LEAST = 320; // pixels of the map's side, where the panel is wide enough
const BELOW = 13.25; // rem of what stands below the map: numbers, the picture behind it, the histogram
const TURNS = 6; // of what something newer has pushed aside
const SUPERSEDED = 409; // the status of that
const ONE_NUMBER = 56; // pixels for a map of a single number, which says no more if it is larger

/** @typedef {import("../maps/cell_cursor.js").Cell} Cell */
/** @typedef {Pick<Look, "lay" | "overlay">} Lying - how the map lies on the picture, and how much of that it lets through */
/** @typedef {{page: DrawnPage, channel: number, words: Words, colours: SubjectFacts["colours"], lay: Look["lay"], about?: string, label?: string}} Viewed */
/** @typedef {ArrayLike<number> & Iterable<number>} Values */

export class ChannelPanel {
  /** @type {?Viewed} */
  viewed = null;

  // The room of the map as last measured, not for every flip; its width is 0 while the panel is hidden.
  room = { width: 0, height: 0 };

  /** @type {?Promise<Values>} */
  values = null; // the channel's, once they are asked for

  // A listener sets `drawn`, called when the map on screen has got a pixel for each value.
  drawn = () => {};

  // A listener sets `laid`, called when the visitor chooses how the map lies on the picture.
  /** @type {(action: Action) => void} */
  laid = () => {};

  /** @type {?Values} */
  spread = null; // the values that the histogram tells apart from the layer's

  share = 0; // of the picture that is let through the map

  /** @type {?Cell} */
  pointed = null;

  /** The question about a cell that was asked last. @type {?object} */
  telling = null;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  resting;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.title = element("h3", "lg-channel-title");
    this.stack = element("div", "lg-stack");
    this.photo = element("img", "lg-photo");
    this.canvas = element("canvas", "lg-large");
    this.value = element("div", "lg-value");
    this.overlay = percentSlider(FORMS.overlay.most, { moved: (share) => this.lay(this.overlay.root.hidden ? 0 : share), chosen: (overlay) => this.laid({ type: "overlay", overlay }) });
    this.lying = element("div", "lg-lying");
    this.map = element("div", "lg-map");
    this.framed = element("div", "lg-on-photo");
    this.map.append(this.canvas);
    this.stack.append(this.photo, this.map, this.framed);
    this.cursor = new CellCursor(this.canvas, this.map);
    this.axes = new Axes(this.map);
    this.histogram = element("div", "lg-histogram");
    this.histogram.setAttribute("role", "img");
    this.head = element("div", "lg-channel-head");
    this.head.append(this.title);
    root.append(this.head, this.stack, this.value, this.overlay.root, this.lying, this.histogram);
    new ResizeObserver(() => this.resized()).observe(root);
    // Screen readers read the value while the keys are on the map, but not during a flip through channels.
    this.canvas.addEventListener("focus", () => this.value.setAttribute("aria-live", "polite"));
    this.canvas.addEventListener("blur", () => this.value.removeAttribute("aria-live"));
    this.canvas.addEventListener("mousemove", (event) => this.point(event));
    this.canvas.addEventListener("mouseleave", () => this.pointAway());
  }

  /** @type {(page: DrawnPage, channel: number, how: {words: Words, seen: string, colours: SubjectFacts["colours"], about?: string, label?: string} & Lying) => void} */
  show(page, channel, { words, seen, colours, lay, overlay, about, label }) {
    if (this.viewed?.page.facts.layer !== page.facts.layer) this.cursor.clear();
    const viewed = { page, channel, words, colours, lay, about, label };
    Object.assign(this, { viewed, values: null });
    this.overlay.root.hidden = !liesOnPicture(page.facts);
    this.overlay.follow(overlay);
    this.share = this.overlay.root.hidden ? 0 : this.overlay.share();
    this.drawMap(viewed);
    this.drawLying(viewed);
    this.title.textContent = filled(words.channel, { channel });
    this.overlay.name(words.over_photo);
    if (this.photo.getAttribute("src") !== seen) this.photo.src = seen;
    this.lay(this.share);
    this.describe();
    this.histogram.setAttribute("aria-label", words.histogram);
    this.histogram.title = words.histogram;
    this.drawSpread(viewed, null);
    clearTimeout(this.resting);
    if (!page.live) this.resting = setTimeout(() => this.drawRested(viewed), REST_MS);
  }

  // The map, and the numbers below the histogram, have another room now.
  resized() {
    const { width } = this.room;
    this.measure();
    if (!this.viewed || this.room.width === width) return;
    this.fit(this.viewed);
    this.drawSpread(this.viewed, this.spread);
  }

  // As wide as the panel, unless what stands below would not be on screen any more.
  measure() {
    const { clientWidth } = this.root;
    const top = this.stack.getBoundingClientRect().top + (this.root.closest("[data-testid=stMain]")?.scrollTop ?? 0);
    const width = clientWidth && Math.max(120, clientWidth - AXIS);
    this.room = { width, height: Math.max(Math.min(LARGE_LEAST, width), window.innerHeight - top - rem(BELOW)) };
  }

  // The map itself, with its axes and its cell.
  /** @param {Viewed} viewed */
  drawMap(viewed) {
    const { page, channel } = viewed;
    if (!this.room.width) this.measure();
    if (page.large?.channel === channel) drawWhole(this.canvas, page.large.image);
    else drawTile(this.canvas, page.image, tileBox(page.facts.geometry, channel));
    this.fit(viewed);
  }

  // Enlarge the map, its axes and its cell as the room allows.
  /** @param {Viewed} viewed */
  fit({ page: { facts: { geometry: { map_width: width, map_height: height } } } }) {
    const scale = this.place();
    this.canvas.style.imageRendering = rendering(scale);
    this.cursor.fit(width, height, scale);
    this.axes.draw(width, height, scale);
  }

  // Put map and picture where they lie: together they fill the room, or the map alone while no picture is seen.
  // Returns the screen's pixels for each value.
  place() {
    if (!this.viewed) return 1;
    const { page: { facts }, lay } = this.viewed;
    const { map_width: width, map_height: height } = facts.geometry;
    const { all, photo } = laidOut(facts, lay);
    const map = { left: 0, top: 0, width, height };
    const seen = this.overlaid() ? all : map;
    const scale = filling(seen.width, seen.height, width * height === 1 ? { width: ONE_NUMBER, height: ONE_NUMBER } : this.room);
    for (const [part, area] of /** @type {const} */ ([[this.map, map], [this.photo, photo], [this.framed, photo]])) {
      putAt(part, { ...area, left: area.left - seen.left, top: area.top - seen.top }, scale);
    }
    for (const [part, area] of /** @type {const} */ ([[this.stack, seen], [this.canvas, map]])) {
      part.style.width = `${area.width * scale}px`;
      part.style.height = `${area.height * scale}px`;
    }
    return scale;
  }

  // The look says how the map lies on the picture.
  /** @param {Lying} lying */
  lie({ lay, overlay }) {
    this.overlay.follow(overlay);
    if (!this.viewed || this.viewed.lay === lay) return;
    Object.assign(this.viewed, { lay });
    this.drawMap(this.viewed);
    this.drawLying(this.viewed);
  }

  overlaid() {
    return this.share > 0 && !this.overlay.root.hidden;
  }

  // Controls for the overlay of the map on the picture, if its place is known.
  /** @param {Viewed} viewed */
  drawLying({ page: { facts }, words, lay }) {
    redraw(this.lying, [facts.covers ? lyingBox("lying", lay, words, (action) => this.laid(action)) : paragraph(withMore(words.lay_unknown, SHIFTED, words), "lg-lay-unknown")]);
  }

  // The channel's values are fetched once the visitor stays on it, not during a flip; so is its map if the
  // mosaic has fewer pixels than values.
  /** @param {Viewed} viewed */
  async drawRested(viewed) {
    const { page, channel } = viewed;
    const here = () => this.isStill(viewed);
    if (isShrunk(page.facts.geometry)) drawFetched(this.canvas, aboutWhole(page, "channel.png", `channel=${channel}`), here).then(() => this.drawn());
    const values = await this.fetched(viewed);
    if (!here()) return;
    this.drawSpread(viewed, values);
    const at = this.pointed ?? this.cursor.at; // the map was drawn again, but the pointer is still on it
    if (at) this.tell(at);
  }

  /** @type {(viewed: Viewed, values: ?Values) => void} */
  drawSpread({ page, channel, colours }, values) {
    this.spread = values;
    drawHistogram(this.histogram, page.facts, values, { channel, colours, length: this.room.width + AXIS });
  }

  // True if the channel on screen is still this one.
  /** @param {Viewed} viewed */
  isStill({ page, channel }) {
    return this.viewed?.page === page && this.viewed.channel === channel;
  }

  // The channel's values; empty if the server does not answer, and asked for again the next time.
  /** @type {(viewed: Viewed) => Promise<Values>} */
  async fetched(viewed) {
    const asked = this.values ??= fetchValues(viewed.page, viewed.channel, () => this.isStill(viewed));
    try {
      return await asked;
    } catch {
      if (this.values === asked) this.values = null;
      return [];
    }
  }

  // Opacity 1 is the map alone; anything less lets the picture through.
  /** @param {number} share */
  lay(share) {
    const moved = share > 0 !== this.share > 0;
    this.share = share;
    this.lying.hidden = !this.overlaid();
    if (moved && this.viewed) this.drawMap(this.viewed);
    this.photo.style.visibility = share > 0 ? "visible" : "hidden";
    this.stack.classList.toggle("lg-over-photo", share > 0);
    this.canvas.style.opacity = String(1 - share);
  }

  describe() {
    this.telling = null; // the value of a cell that was pointed at comes too late
    if (!this.viewed) return;
    const { page: { facts: { channels } }, channel, words, about, label } = this.viewed;
    /** @param {"minimum" | "maximum" | "mean"} name */
    const of = (name) => readable(channels[name][channel]);
    this.value.textContent = about ??
      `${words.minimum} ${of("minimum")} · ${words.maximum} ${of("maximum")} · ${words.mean} ${of("mean")} · `
      + `${words.zeros}\u00a0${percent(channels.zeros[channel])}`;
    this.canvas.setAttribute("aria-label", label ?? `${this.title.textContent}, ${this.value.textContent}. ${words.cell_keys}`);
  }

  /** @param {MouseEvent} event */
  point(event) {
    this.pointed = this.cursor.under(event);
    if (this.pointed) this.tell(this.pointed);
  }

  // Without a pointer, the line speaks of the chosen cell, or else of the whole channel.
  pointAway() {
    this.pointed = null;
    if (this.cursor.at) this.tell(this.cursor.at);
    else this.describe();
  }

  /** @param {Cell} at */
  async tell(at) {
    const { viewed } = this, telling = this.telling = {};
    const values = await this.valuesAt(at);
    if (!values.length || !viewed || !this.isStill(viewed) || telling !== this.telling) return;
    const place = viewed.page.values ? `[${at.y}, ${at.x}]` : placeText(viewed.channel, at);
    this.value.textContent = `${place} = ${values.map(digits).join(", ")}`;
  }

  // A cell's value; null if there is none.
  /** @param {Cell} at */
  async valueAt(at) {
    return (await this.valuesAt(at))[0] ?? null;
  }

  // A cell's values, which are several in a picture of components; none if there are none.
  /** @type {(at: Cell) => Promise<readonly number[]>} */
  async valuesAt({ y, x }) {
    const { viewed } = this;
    if (!viewed || viewed.page.live) return []; // the server no longer has a frame's values
    const values = await this.fetched(viewed);
    const { map_height: height, map_width: width } = viewed.page.facts.geometry;
    const each = values.length / (height * width), at = (y * width + x) * each;
    return x < width && y < height && each ? Array.from({ length: each }, (_, nth) => values[at + nth]) : [];
  }

  // Frame a receptive field on the picture; without one, remove the frame.
  /** @param {?Field} found */
  frameField(found) {
    this.framed.replaceChildren(...(found ? [fieldFrame(found)] : []));
  }
}

/** @type {(part: HTMLElement, area: import("./laying.js").Area, scale: number) => void} */
function putAt(part, { left, top, width, height }, scale) {
  Object.assign(part.style, { left: `${left * scale}px`, top: `${top * scale}px`, width: `${width * scale}px`, height: `${height * scale}px` });
}

// A row of the batch shows a part of the picture, and we do not know which; tokens by tokens and single numbers cover none.
/** @param {LayerFacts} facts */
function liesOnPicture({ rows, on_picture, geometry: { map_height, map_width } }) {
  return rows === 1 && on_picture && map_height * map_width > 1;
}

// One tile of a mosaic, pixel by pixel.
/** @type {(canvas: HTMLCanvasElement, image: HTMLImageElement, box: {x: number, y: number, width: number, height: number}) => void} */
export function drawTile(canvas, image, { x, y, width, height }) {
  Object.assign(canvas, { width, height });
  canvas.getContext("2d")?.drawImage(image, x, y, width, height, 0, 0, width, height);
}

// Replace the picture on a canvas by a fetched one as long as that is wanted; until then it shows a coarser one.
/** @type {(canvas: HTMLCanvasElement, address: string, wanted: () => boolean) => Promise<void>} */
export async function drawFetched(canvas, address, wanted) {
  for (let turn = 0; turn < TURNS && wanted(); turn += 1) {
    const image = new Image();
    image.src = address;
    await image.decode().catch(() => {});
    if (image.naturalWidth) {
      if (wanted()) drawWhole(canvas, image);
      return;
    }
    await beforeTurn(turn + 1); // something newer took its turn
  }
}

/** @type {(canvas: HTMLCanvasElement, image: HTMLImageElement) => void} */
function drawWhole(canvas, image) {
  drawTile(canvas, image, { x: 0, y: 0, width: image.naturalWidth, height: image.naturalHeight });
}

// Ask for a channel's values as long as they are wanted; throw an error if something newer pushed them aside to the end.
/** @type {(page: Pick<DrawnPage, "subject" | "query" | "values">, channel: number, wanted: () => boolean) => Promise<Values>} */
export async function fetchValues(page, channel, wanted) {
  const address = page.values ? aboutWhole(page, page.values) : aboutWhole(page, "values", `channel=${channel}`);
  let answer = await fetch(address);
  for (let turn = 1; turn < TURNS && answer.status === SUPERSEDED; turn += 1) {
    await beforeTurn(turn);
    if (!wanted()) break;
    answer = await fetch(address);
  }
  if (answer.status === SUPERSEDED) throw new Error("something newer took every turn");
  return answer.ok ? new Float32Array(await answer.arrayBuffer()) : [];
}

/** @type {(turn: number) => Promise<void>} */
function beforeTurn(turn) {
  return new Promise((go) => { setTimeout(go, ASK_AGAIN_MS * 2 ** (turn - 1)); });
}
