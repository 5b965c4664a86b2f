// The offline page that a visitor takes home. Everything is in it, this script and its imports too.

import { channelFigures, figures } from "../maps/figures.js";
import { channelAt, element, filled, fitted, percent, readable, rendering, tileBox } from "../maps/mosaic.js";
import { placeText, shapeText } from "../maps/shape.js";
import { coloursIn } from "./file_colours.js";

/** @typedef {DrawnSheet | OfflineSheet & {png?: undefined}} Sheet */

/** @type {OfflineFile & {sheets: readonly Sheet[]}} */
const DATA = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("data")).textContent);
const { words, sheets } = DATA;
const PAGE = /** @type {HTMLElement} */ (document.getElementById("page"));
const SHADES = 256; // of a colour bar
const LARGEST = 300; // screen pixels of the large map
const BESIDE = 130; // what colour bar, its numbers and margins take

// The page's elements, made once.
const parts = {
  title: element("h1", "", DATA.title), layer: element("select"), previous: element("button", "", "‹"), next: element("button", "", "›"),
  facts: element("p", "facts"), maps: element("img", "maps"), mark: element("div", "mark"), frame: element("div", "frame"), left: element("div", "left"),
  reason: element("p", "reason"), status: element("p", "status"), large: element("canvas", "large"), name: element("h2"), value: element("p", "value"),
  note: element("p", "note"), kind: element("p", "kind"), bar: element("div", "bar"), limits: element("div", "limits"),
};
const pixels = /** @type {CanvasRenderingContext2D} */ (parts.large.getContext("2d"));

function build() {
  const head = element("header");
  if (DATA.seen) {
    const seen = element("img", "seen");
    Object.assign(seen, { src: `data:image/png;base64,${DATA.seen}`, alt: words.seen });
    head.append(seen);
  }
  const choice = element("div", "choice");
  parts.layer.append(...sheets.map((sheet, place) => new Option(`${place + 1}. ${sheet.name}`, String(place))));
  parts.layer.setAttribute("aria-label", words.layer);
  parts.previous.setAttribute("aria-label", words.previous);
  parts.next.setAttribute("aria-label", words.next);
  choice.append(parts.previous, parts.layer, parts.next);
  const text = element("div", "title");
  text.append(parts.title, choice);
  head.append(text);
  if (DATA.top.length) head.append(guesses());
  parts.frame.append(parts.maps, parts.mark);
  parts.large.setAttribute("role", "img");
  parts.status.setAttribute("role", "status");
  parts.left.append(parts.frame, parts.reason, parts.status);
  const right = element("aside");
  const row = element("div", "row");
  row.append(parts.large, parts.bar, parts.limits);
  right.append(parts.name, row, parts.value);
  const body = element("div", "body");
  body.append(parts.left, right);
  PAGE.append(head, parts.facts, parts.kind, body, parts.note, element("p", "note", words.keys));
}

// The model's best guesses of the picture.
function guesses() {
  const root = element("section", "guesses");
  const list = element("ol");
  list.append(...DATA.top.map(({ label, share }) => {
    const item = element("li");
    item.append(element("span", "", label), element("span", "", percent(share)));
    item.style.setProperty("--share", `${100 * share}%`);
    return item;
  }));
  root.append(element("h2", "", words.prediction), list);
  if (DATA.untrained) root.append(element("p", "note", words.prediction_untrained));
  return root;
}

// The sheet on screen, the place of the map that is shown large, how large a value is drawn, and its file's colours.
const at = { sheet: 0, tile: 0, scale: 1, colour: /** @type {(x: number, y: number) => string} */ (() => "") };

// The sheet on screen if it has maps.
function drawn() {
  const sheet = sheets[at.sheet];
  return sheet.png ? sheet : null;
}

/** @param {number} place */
async function show(place, tile = 0) {
  at.sheet = Math.max(0, Math.min(sheets.length - 1, place));
  const sheet = sheets[at.sheet];
  parts.layer.value = String(at.sheet);
  parts.previous.disabled = at.sheet === 0;
  parts.next.disabled = at.sheet === sheets.length - 1;
  for (const part of [parts.frame, parts.large, parts.name, parts.value, parts.bar, parts.limits]) part.hidden = !sheet.png;
  parts.kind.textContent = DATA.kinds[sheet.type] ?? "";
  parts.reason.textContent = sheet.problem;
  parts.facts.textContent = facts(sheet);
  parts.note.textContent = sheet.png && sheet.order.length < sheet.channels ? filled(words.cut, { shown: sheet.order.length, channels: sheet.channels }) : "";
  parts.status.textContent = sheet.png ? words.choose : "";
  if (!sheet.png) return;
  parts.maps.src = `data:image/png;base64,${sheet.png}`;
  parts.maps.alt = `${filled(words.maps, { layer: sheet.name })}, ${facts(sheet)}`;
  const [colour] = await Promise.all([coloursIn(sheet.png), parts.maps.decode()]);
  if (drawn() !== sheet) return;
  at.colour = colour;
  parts.maps.dataset.layer = sheet.name;
  fit(sheet);
  choose(Math.min(tile, sheet.order.length - 1));
}

/** @param {Sheet} sheet */
function facts(sheet) {
  if (!sheet.png) return sheet.type;
  const said = [sheet.type, shapeText(sheet.shape), sheet.dtype, sheet.dtype.startsWith("complex") ? words.magnitudes : "", ...figures(sheet.figures, words)];
  if (sheet.figures.nan) said.push(`NaN ${sheet.figures.nan}`);
  return said.filter(Boolean).join(" · ");
}

/** @param {DrawnSheet} sheet */
function fit({ geometry: { width, height } }) {
  at.scale = fitted(width, height, Math.max(160, parts.left.clientWidth), Math.max(240, window.innerHeight - 230));
  Object.assign(parts.maps.style, { width: `${width * at.scale}px`, height: `${height * at.scale}px` });
}

/** @param {number} place */
function choose(place) {
  const sheet = drawn();
  if (!sheet || place < 0 || place >= sheet.order.length) return;
  at.tile = place;
  const { x, y, width, height } = tileBox(sheet.geometry, place);
  Object.assign(parts.mark.style, { transform: `translate(${x * at.scale}px, ${y * at.scale}px)`, width: `${width * at.scale}px`, height: `${height * at.scale}px` });
  Object.assign(parts.large, { width, height });
  pixels.drawImage(parts.maps, x, y, width, height, 0, 0, width, height);
  const room = Math.min(LARGEST, PAGE.clientWidth - BESIDE);
  const scale = fitted(width, height, room, room);
  Object.assign(parts.large.style, { width: `${width * scale}px`, height: `${height * scale}px`, imageRendering: rendering(scale) });
  drawBar(sheet, place);
  parts.name.textContent = filled(words.channel, { channel: sheet.order[place] });
  parts.value.textContent = mapFacts(sheet, place);
  parts.large.setAttribute("aria-label", `${parts.name.textContent}, ${parts.value.textContent}`);
}

// Draw the colour bar of a map, from below to above; zero has its mark if it lies between the limits.
/** @type {(sheet: DrawnSheet, place: number) => void} */
function drawBar({ colormap, low, high }, place) {
  const [from, to] = [low[place], high[place]];
  const marks = from !== null && to !== null && from < 0 && to > 0 ? [to, 0, from] : [to, from];
  parts.bar.style.background = `linear-gradient(to top, ${colours(DATA.tables[colormap]).join(", ")})`;
  parts.limits.replaceChildren(...marks.map((mark) => {
    const text = element("span", "", readable(mark));
    const share = from === null || to === null || mark === null || from === to ? 0 : (mark - from) / (to - from);
    text.style.bottom = `${100 * share}%`;
    return text;
  }));
}

// Colours for a gradient: all of a table, or of a longer one some hundred.
/** @param {string} table */
function colours(table) {
  const levels = table.length / 6, count = Math.min(levels, SHADES);
  return Array.from({ length: count }, (_, n) => {
    const at = 6 * Math.floor((n * levels) / count);
    return `#${table.slice(at, at + 6)}`;
  });
}

/** @type {(sheet: DrawnSheet, place: number) => string} */
function mapFacts({ order, each, low, high }, place) {
  const colours = filled(words.colours, { low: readable(low[place]), high: readable(high[place]) });
  return [filled(words.channel, { channel: order[place] }), ...channelFigures(each, place, words), colours].join(" · ");
}

/** The values of sheets, decoded when one is first pointed at. @type {WeakMap<DrawnSheet, Float32Array>} */
const decoded = new WeakMap();

/** @param {DrawnSheet} sheet */
function valuesOf(sheet) {
  const known = decoded.get(sheet);
  if (known) return known;
  const values = new Float32Array(Uint8Array.from(atob(sheet.values), (letter) => letter.charCodeAt(0)).buffer);
  decoded.set(sheet, values);
  return values;
}

// The value behind a colour; null for a colour that is not of the table, such as that of NaN.
/** @type {(sheet: DrawnSheet, y: number, x: number) => ?number} */
function fromColour(sheet, y, x) {
  const low = sheet.low[at.tile], high = sheet.high[at.tile];
  if (low === null || high === null) return null;
  const corner = tileBox(sheet.geometry, at.tile);
  const colour = at.colour(corner.x + x, corner.y + y);
  const table = DATA.tables[sheet.colormap];
  const levels = table.length / 6;
  let first = 0;
  while (first < levels && !table.startsWith(colour, first * 6)) first += 1;
  let end = first;
  while (end < levels && table.startsWith(colour, end * 6)) end += 1;
  return end > first ? low + ((first + end) / 2 / levels) * (high - low) : null;
}

/** @param {MouseEvent} event */
function point({ offsetX, offsetY }) {
  const sheet = drawn();
  if (!sheet) return;
  const { tile_width: width, tile_height: height } = sheet.geometry;
  const x = Math.min(width - 1, Math.floor((offsetX / parts.large.clientWidth) * width));
  const y = Math.min(height - 1, Math.floor((offsetY / parts.large.clientHeight) * height));
  const value = sheet.values ? `= ${readable(valuesOf(sheet)[(at.tile * height + y) * width + x])}` : `≈ ${readable(fromColour(sheet, y, x))}`;
  parts.value.textContent = `${placeText(sheet.order[at.tile], { y, x })} ${value}`;
}

// The place of the map under the pointer; null between maps.
/** @param {MouseEvent} event */
function under({ offsetX, offsetY }) {
  const sheet = drawn();
  return sheet && channelAt(sheet.geometry, offsetX / at.scale, offsetY / at.scale);
}

/** @type {Record<string, () => void>} */
const MOVES = {
  ArrowLeft: () => show(at.sheet - 1), ArrowRight: () => show(at.sheet + 1), Home: () => show(0), End: () => show(sheets.length - 1),
  ArrowUp: () => choose(at.tile - 1), ArrowDown: () => choose(at.tile + 1),
};

// The map of the channel that was looked at, if the file holds it.
function firstTile() {
  const first = sheets[DATA.first];
  return first.png ? Math.max(0, first.order.indexOf(DATA.channel ?? -1)) : 0;
}

build();
parts.previous.onclick = MOVES.ArrowLeft;
parts.next.onclick = MOVES.ArrowRight;
parts.layer.onchange = () => show(Number(parts.layer.value));
parts.maps.onmousemove = (event) => {
  const sheet = drawn(), place = under(event);
  parts.status.textContent = sheet && place !== null ? mapFacts(sheet, place) : words.choose;
};
parts.maps.onclick = (event) => choose(under(event) ?? -1);
parts.large.onmousemove = point;
parts.large.onmouseleave = () => choose(at.tile);
window.addEventListener("resize", () => show(at.sheet, at.tile));
document.addEventListener("keydown", (event) => {
  const chosen = MOVES[event.key];
  if (!chosen || event.target === parts.layer || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  chosen();
});
show(DATA.first, firstTile());
