// Zoom from the mosaic into one channel, down to its numbers: wheel, pinch, keys, buttons.

import { channelAt, element, filled, find, readable, tileBox } from "../maps/mosaic.js";

const CHANNEL = 1; // the depth at which one channel fills the room; at 0 there is the mosaic
const CELLS = 2; // the depth of single numbers
const CELL = 96; // screen pixels of a cell there
const READ = 46; // screen pixels of a cell in which a number has room
const KEY_STEP = 0.25;
const WHEEL = 0.002; // of a step for each pixel of a wheel
const PINCH = 0.01;
const EASE = 0.3; // of the way that is left, in each frame
const CLOSE = 0.004;
const DRAGGED = 4; // pixels: less is a click
const DARK = 140; // the luma of a colour that white text stands on

/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {MouseEvent & {scale: number}} Pinch */

export class Zoom {
  depth = 0; // on screen
  goal = 0; // on the way to it
  channel = 0;
  at = { x: 0.5, y: 0.5 }; // the place in the map, as shares of its sides, that is in the middle once it is larger than the room
  moving = 0; // the next frame

  /** @type {?ArrayLike<number>} */
  values = null;

  /** @type {Map<number, Point>} */
  fingers = new Map();

  pinched = 1; // how far apart two fingers on a touchpad are, times their first distance
  dragged = 0; // pixels since the pointer went down

  /** @param {import("./viewer.js").LayerView} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.room = viewer.parts.room;
    this.canvas = element("canvas", "lg-zoom");
    this.canvas.hidden = true;
    this.canvas.setAttribute("aria-hidden", "true"); // the panel beside it says the same, and has the keys
    this.room.append(this.canvas);
    this.out = find(viewer.parts.root, "button.lg-zoom-out");
    this.in = find(viewer.parts.root, "button.lg-zoom-in");
    this.out.onclick = () => this.step(-1);
    this.in.onclick = () => this.step(1);
    this.listen();
  }

  listen() {
    const { room, canvas, viewer: { panel } } = this;
    room.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    for (const name of ["gesturestart", "gesturechange", "gestureend"]) room.addEventListener(name, (event) => this.pinch(/** @type {Pinch} */ (event)));
    room.addEventListener("dblclick", (event) => this.enter(event));
    room.addEventListener("pointerdown", (event) => this.down(event));
    room.addEventListener("pointermove", (event) => this.move(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"])) room.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    canvas.addEventListener("click", (event) => this.click(event));
    panel.canvas.addEventListener("keydown", () => queueMicrotask(() => this.centre()));
    panel.drawn = () => this.draw();
  }

  /** @param {Words} words */
  name(words) {
    for (const [button, text, name] of /** @type {const} */ ([[this.out, "−", words.zoom_out], [this.in, "+", words.zoom_in]])) {
      Object.assign(button, { textContent: text, title: name });
      button.setAttribute("aria-label", name);
    }
  }

  get isOn() {
    return this.depth > 0 || this.goal > 0;
  }

  // Keys and buttons: towards the cell that the keys have reached, or the middle.
  /** @param {number} by */
  step(by) {
    this.centre();
    this.to(this.goal + by * KEY_STEP, this.viewer.channel);
  }

  // Zoom all the way back; true if there was a zoom.
  leave() {
    const { isOn } = this;
    if (isOn) this.to(0);
    return isOn;
  }

  // The maps are gone.
  end() {
    Object.assign(this, { depth: 0, goal: 0, values: null });
    this.draw();
  }

  /** @type {(goal: number, channel?: ?number) => void} */
  to(goal, channel = null) {
    const { viewer } = this;
    if (!viewer.page || (goal > 0 && !viewer.isNamed())) return;
    if (!this.isOn) Object.assign(this, { channel: channel ?? viewer.channel, at: { x: 0.5, y: 0.5 } });
    this.goal = Math.max(0, Math.min(CELLS, goal));
    if (this.goal > 0 && viewer.channel !== this.channel) viewer.choose({ type: "channel", channel: this.channel });
    if (this.goal > CHANNEL) this.fetch();
    cancelAnimationFrame(this.moving);
    this.moving = requestAnimationFrame(() => this.go());
  }

  go() {
    const still = Math.abs(this.goal - this.depth) < CLOSE || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.depth = still ? this.goal : this.depth + EASE * (this.goal - this.depth);
    this.draw();
    if (!still) this.moving = requestAnimationFrame(() => this.go());
    else this.say();
  }

  say() {
    const { viewer, box } = this;
    if (!viewer.page) return;
    const times = box ? readable(Number((box.width / tileBox(viewer.page.facts.geometry, this.channel).width / viewer.scale).toPrecision(2))) : "";
    viewer.parts.status.textContent = box ? filled(viewer.words.zoomed, { channel: this.channel, times }) : viewer.words.choose_channel;
  }

  // Another page or channel is on screen, or the room has changed.
  follow() {
    if (!this.isOn) return;
    this.values = null;
    this.channel = this.viewer.channel;
    if (this.depth > CHANNEL) this.fetch();
    this.draw();
  }

  async fetch() {
    const { panel } = this.viewer;
    const { viewed } = panel;
    if (!viewed || viewed.page.live) return;
    const values = await panel.fetched(viewed);
    if (!panel.isStill(viewed) || viewed.channel !== this.channel) return;
    this.values = values;
    this.draw();
  }

  // The cell that the keys have reached is in the middle.
  centre() {
    const { cursor } = this.viewer.panel;
    if (!cursor.at) return;
    this.at = { x: (cursor.at.x + 0.5) / cursor.width, y: (cursor.at.y + 0.5) / cursor.height };
    this.draw();
  }

  // The wheel scrolls a page that can be scrolled; pinching on a touchpad comes as a wheel with Ctrl, except in Safari.
  /** @param {WheelEvent} event */
  wheel(event) {
    const pinched = event.ctrlKey || event.metaKey;
    const page = this.room.closest("[data-testid=stMain]");
    const scrolls = page !== null && page.scrollHeight > page.clientHeight + 1;
    const inwards = event.deltaY < 0;
    if (event.shiftKey || (!pinched && !this.isOn && (scrolls || !inwards))) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode ? 16 : 1);
    this.about(event, -pixels * (pinched ? PINCH : WHEEL));
  }

  // Pinching on a touchpad in Safari, which would enlarge the page. What fingers do on the screen comes to `move`.
  /** @param {Pinch} event */
  pinch(event) {
    event.preventDefault();
    if (event.type === "gesturechange" && !this.fingers.size) this.about(event, Math.log2(event.scale / this.pinched) / 2);
    this.pinched = event.scale;
  }

  // Zoom at the pointer: the point below it stays there.
  /** @type {(event: MouseEvent, by: number) => void} */
  about(event, by) {
    const { viewer } = this;
    const before = this.shareUnder(event);
    this.to(this.goal + by, viewer.channelUnder(event));
    if (before && this.goal > CHANNEL) this.keep(event, before, this.goal);
  }

  /** @type {(event: MouseEvent, share: Point, depth: number) => void} */
  keep(event, share, depth) {
    const box = this.boxAt(depth);
    const point = this.inRoom(event);
    const { width, height } = this.size;
    if (!box) return;
    this.at = {
      x: clamp((width / 2 - point.x) / box.width + share.x, 0, 1),
      y: clamp((height / 2 - point.y) / box.height + share.y, 0, 1),
    };
  }

  // A double click on a map, or on one beside it.
  /** @param {MouseEvent} event */
  enter(event) {
    if (this.depth >= CHANNEL) return;
    const channel = this.viewer.channelUnder(event);
    if (channel !== null) this.to(CHANNEL, channel);
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button) return;
    this.dragged = 0;
    this.fingers.set(event.pointerId, this.inRoom(event));
  }

  // One finger or button drags a map that is larger than the room; two pinch.
  /** @param {PointerEvent} event */
  move(event) {
    const before = this.fingers.get(event.pointerId);
    const now = this.inRoom(event);
    if (!before) return void (this.isOn && this.point(event));
    this.fingers.set(event.pointerId, now);
    this.dragged += Math.hypot(now.x - before.x, now.y - before.y);
    const [other] = [...this.fingers].filter(([id]) => id !== event.pointerId);
    if (other) {
      const apart = Math.hypot(now.x - other[1].x, now.y - other[1].y) / Math.max(1, Math.hypot(before.x - other[1].x, before.y - other[1].y));
      this.about(event, Math.log2(apart) / 2);
    } else if (this.box && this.depth > CHANNEL) {
      const { box } = this;
      this.at = { x: clamp(this.at.x - (now.x - before.x) / box.width, 0, 1), y: clamp(this.at.y - (now.y - before.y) / box.height, 0, 1) };
      this.draw();
    }
  }

  // The exact value under the pointer stands in the panel.
  /** @param {MouseEvent} event */
  point(event) {
    const cell = this.cellUnder(event);
    if (cell) this.viewer.panel.tell(cell);
  }

  /** @param {MouseEvent} event */
  click(event) {
    if (this.dragged > DRAGGED) return;
    const cell = this.depth >= CHANNEL ? this.cellUnder(event) : null;
    if (cell) this.viewer.panel.cursor.take(cell);
    else if (this.depth < CHANNEL) this.viewer.chooseChannel(this.viewer.channelUnder(event));
  }

  /** @param {MouseEvent} event */
  inRoom({ clientX, clientY }) {
    const { left, top } = this.room.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  // The place in the channel's map, as shares of its sides.
  /** @param {MouseEvent} event */
  shareUnder(event) {
    const { box } = this;
    const { x, y } = this.inRoom(event);
    return box && { x: (x - box.x) / box.width, y: (y - box.y) / box.height };
  }

  /** @param {MouseEvent} event */
  cellUnder(event) {
    const share = this.shareUnder(event);
    const { page } = this.viewer;
    if (!share || !page || share.x < 0 || share.y < 0 || share.x >= 1 || share.y >= 1) return null;
    const { map_width, map_height } = page.facts.geometry;
    return { y: Math.floor(share.y * map_height), x: Math.floor(share.x * map_width) };
  }

  // The channel on the mosaic under the pointer, however far that is magnified; null where there is none.
  /** @param {MouseEvent} event */
  channelUnder(event) {
    const { viewer, box } = this;
    if (!viewer.page || !box) return null;
    const { geometry } = viewer.page.facts;
    const tile = tileBox(geometry, this.channel);
    const { x, y } = this.inRoom(event);
    return channelAt(geometry, tile.x + ((x - box.x) / box.width) * tile.width, tile.y + ((y - box.y) / box.height) * tile.height);
  }

  // Box of the channel's map on the screen, as far as it is in the room.
  get boxOnScreen() {
    const { box } = this, { left, top } = this.canvas.getBoundingClientRect();
    return box && { left: left + box.x, top: top + box.y, width: box.width, height: box.height };
  }

  get size() {
    return this.viewer.area ??= this.viewer.room();
  }

  get box() {
    return this.boxAt(this.depth);
  }

  // Box of the channel's map at some depth; null if it is in the mosaic.
  /** @type {(depth: number) => ?Box} */
  boxAt(depth) {
    const { viewer, channel, size } = this;
    if (!viewer.page || depth <= 0) return null;
    const { geometry } = viewer.page.facts;
    const tile = tileBox(geometry, channel);
    const down = viewer.scale * viewer.stretch;
    const first = { x: tile.x * viewer.scale, y: tile.y * down, width: tile.width * viewer.scale, height: tile.height * down };
    const most = Math.min(size.width / first.width, size.height / first.height);
    const full = { width: most * first.width, height: most * first.height };
    if (depth <= CHANNEL) return between(first, { x: (size.width - full.width) / 2, y: (size.height - full.height) / 2, ...full }, most, depth);
    const cell = Math.max(full.width / geometry.map_width, full.height / geometry.map_height);
    const times = Math.max(1, CELL / cell) ** (depth - CHANNEL);
    const [width, height] = [times * full.width, times * full.height];
    return { x: held(this.at.x, width, size.width), y: held(this.at.y, height, size.height), width, height };
  }

  draw() {
    const { viewer, canvas, box, size } = this;
    canvas.hidden = !box;
    this.room.classList.toggle("lg-zoomed", Boolean(box));
    this.out.disabled = !this.isOn;
    this.in.disabled = this.goal >= CELLS;
    if (!viewer.page || !box) return;
    const ratio = window.devicePixelRatio || 1;
    Object.assign(canvas, { width: Math.floor(size.width * ratio), height: Math.floor(size.height * ratio) });
    Object.assign(canvas.style, { width: `${canvas.width / ratio}px`, height: `${canvas.height / ratio}px` });
    const context = canvas.getContext("2d");
    if (!context) return;
    context.scale(ratio, ratio);
    context.imageSmoothingEnabled = false;
    if (this.depth < CHANNEL) this.drawMosaic(context, box, viewer.page);
    this.drawMap(context, box, viewer.page);
    if (this.depth > CHANNEL) this.drawNumbers(context, box, viewer.page);
  }

  // The maps beside it, which fade on the way.
  /** @type {(context: CanvasRenderingContext2D, box: Box, page: DrawnPage) => void} */
  drawMosaic(context, box, { facts: { geometry }, image }) {
    const tile = tileBox(geometry, this.channel);
    const [across, down] = [box.width / tile.width, box.height / tile.height];
    context.globalAlpha = 1 - this.depth ** 3;
    context.drawImage(image, box.x - tile.x * across, box.y - tile.y * down, geometry.width * across, geometry.height * down);
    context.globalAlpha = 1;
  }

  // The map itself, with every value once the panel has it.
  /** @type {(context: CanvasRenderingContext2D, box: Box, page: DrawnPage) => void} */
  drawMap(context, box, page) {
    const { geometry } = page.facts;
    const tile = tileBox(geometry, this.channel);
    if (this.isWhole(page)) context.drawImage(this.viewer.panel.canvas, box.x, box.y, box.width, box.height);
    else context.drawImage(page.image, tile.x, tile.y, tile.width, tile.height, box.x, box.y, box.width, box.height);
  }

  // True if the panel's map has a pixel for each value of this channel.
  /** @param {DrawnPage} page */
  isWhole({ facts: { geometry } }) {
    const { canvas, viewed } = this.viewer.panel;
    return viewed?.channel === this.channel && canvas.width === geometry.map_width && canvas.height === geometry.map_height;
  }

  // The numbers of the cells in sight, where they have room.
  /** @type {(context: CanvasRenderingContext2D, box: Box, page: DrawnPage) => void} */
  drawNumbers(context, box, page) {
    const { values, size } = this;
    const { map_width: width, map_height: height } = page.facts.geometry;
    const [across, down] = [box.width / width, box.height / height];
    if (!values?.length || across < READ || !this.isWhole(page)) return;
    const [left, top] = [Math.max(0, Math.floor(-box.x / across)), Math.max(0, Math.floor(-box.y / down))];
    const [right, bottom] = [Math.min(width, Math.ceil((size.width - box.x) / across)), Math.min(height, Math.ceil((size.height - box.y) / down))];
    const colours = this.viewer.panel.canvas.getContext("2d")?.getImageData(left, top, right - left, bottom - top).data;
    if (!colours) return;
    context.font = `${clamp(across / 5, 12, 18)}px ${getComputedStyle(this.room).fontFamily}`;
    Object.assign(context, { textAlign: "center", textBaseline: "middle" });
    for (let y = top; y < bottom; y += 1) {
      for (let x = left; x < right; x += 1) {
        const place = 4 * ((y - top) * (right - left) + x - left);
        context.fillStyle = luma(colours, place) < DARK ? "#ffffff" : "#000000";
        context.fillText(short(values[y * width + x]), box.x + (x + 0.5) * across, box.y + (y + 0.5) * down, across - 4);
      }
    }
  }
}

// On the way from a tile of the mosaic to the whole room, everything grows around one point, which stays.
/** @type {(from: Box, to: Box, most: number, depth: number) => Box} */
function between(from, to, most, depth) {
  const times = most ** depth;
  /** @type {(start: number, end: number) => number} */
  const place = (start, end) => {
    if (Math.abs(most - 1) < 1e-3) return start + depth * (end - start);
    const still = (end - most * start) / (1 - most);
    return still + times * (start - still);
  };
  return { x: place(from.x, to.x), y: place(from.y, to.y), width: times * from.width, height: times * from.height };
}

// Start of a side so that one of its places is in the middle of the room; no part of the room stays empty.
/** @type {(share: number, length: number, room: number) => number} */
function held(share, length, room) {
  return length <= room ? (room - length) / 2 : clamp(room / 2 - share * length, room - length, 0);
}

/** @type {(value: number, least: number, most: number) => number} */
function clamp(value, least, most) {
  return Math.max(least, Math.min(most, value));
}

/** @type {(colours: ArrayLike<number>, place: number) => number} */
function luma(colours, place) {
  return 0.299 * colours[place] + 0.587 * colours[place + 1] + 0.114 * colours[place + 2];
}

// Three digits tell cells apart; the panel has them all.
/** @param {number} value */
function short(value) {
  return Number.isFinite(value) ? readable(Number(value.toPrecision(3))) : String(value);
}
