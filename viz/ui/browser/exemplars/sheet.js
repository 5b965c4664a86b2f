// Exemplars side by side, each with its value, and the histogram of all pictures. Each is cropped to the receptive
// field of the channel's strongest cell.

import { addressOf } from "../maps/addresses.js";
import { element, filled, readable } from "../maps/mosaic.js";

const SIDE = 96; // pixels of a crop as it is laid out
const SHARP = 4; // times a pixel is enlarged, from where on it is shown as a square
const KEPT = 240; // pictures that are at hand
const [WIDTH, HEIGHT] = [240, 44];

/** @type {Map<string, Promise<HTMLImageElement>>} */
const images = new Map(); // of the last that were shown: the same for every channel

/**
 * @typedef {Object} Shown
 * @property {string} subject
 * @property {string} about - the folder and the model: other pictures have the same names
 * @property {string} source
 * @property {Words} words
 * @property {(picture: string) => void} chosen
 */

/** @type {(found: readonly ExemplarFacts[], label: string, shown: Shown) => HTMLElement} */
export function drawSheet(found, label, shown) {
  const list = element("ol", "lg-exemplar-sheet");
  list.setAttribute("aria-label", label);
  list.append(...found.map((each, place) => drawOne(each, place, shown)));
  return list;
}

/** @type {(found: ExemplarFacts, place: number, shown: Shown) => HTMLElement} */
function drawOne({ picture, title, value, box }, place, shown) {
  const { words, chosen } = shown;
  const [item, button, canvas] = [element("li"), element("button", "lg-exemplar"), element("canvas")];
  button.type = "button";
  button.dataset.picture = picture;
  button.title = filled(words.exemplars_look_at, { title, place: place + 1, value: readable(value) });
  button.setAttribute("aria-label", button.title);
  const scale = Math.max(1, window.devicePixelRatio || 1);
  Object.assign(canvas, { width: Math.round(SIDE * scale), height: Math.round(SIDE * scale) });
  button.append(canvas, element("span", "", readable(value)));
  button.onclick = () => chosen(picture);
  item.append(button);
  imageOf(picture, shown).then((image) => drawCrop(canvas, image, box), () => button.classList.add("lg-lost"));
  return item;
}

/** @type {(picture: string, shown: Shown) => Promise<HTMLImageElement>} */
function imageOf(picture, { subject, about, source }) {
  const key = `${about} ${source} ${picture}`;
  let coming = images.get(key);
  if (!coming) {
    coming = loaded(addressOf(subject, "exemplar.jpg", new URLSearchParams({ source, picture }).toString()));
    coming.catch(() => images.delete(key));
  }
  images.delete(key);
  images.set(key, coming); // the last that was used stands last
  const [oldest] = images.keys();
  if (images.size > KEPT && oldest !== undefined) images.delete(oldest);
  return coming;
}

/** @param {string} address */
async function loaded(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
}

// The part in a square, as large as it fits; all of the picture without a part.
/** @type {(canvas: HTMLCanvasElement, image: HTMLImageElement, box: ExemplarFacts["box"]) => void} */
function drawCrop(canvas, image, box) {
  const [left, top, right, bottom] = box ?? [0, 0, image.naturalWidth, image.naturalHeight];
  const [width, height] = [Math.max(1, right - left), Math.max(1, bottom - top)];
  const scale = canvas.width / Math.max(width, height);
  const drawing = canvas.getContext("2d");
  if (!drawing) return;
  drawing.imageSmoothingEnabled = scale < SHARP;
  drawing.imageSmoothingQuality = "high";
  const [x, y] = [(canvas.width - width * scale) / 2, (canvas.height - height * scale) / 2];
  drawing.drawImage(image, left, top, width, height, x, y, width * scale, height * scale);
}

// Of as many pictures as have a number: others are in no bar, and nothing is more or less than theirs.
/** @type {(spread: NonNullable<ExemplarsFacts["spread"]>, words: Words) => string} */
export function spreadSaid({ counts, here, below }, words) {
  const count = counts.reduce((sum, each) => sum + each, 0);
  return here === null ? filled(words.exemplars_spread, { count }) : filled(words.exemplars_here, { value: readable(here), below, count });
}

// Bars for the pictures, and a mark where the one on screen stands.
/** @type {(found: ExemplarsFacts, words: Words) => HTMLElement} */
export function drawSpread({ spread }, words) {
  const figure = element("figure", "lg-exemplar-spread");
  if (!spread) return figure;
  const { low, high, counts, here } = spread;
  const most = Math.log1p(Math.max(...counts, 1)), step = WIDTH / counts.length;
  const bars = counts.map((count, bin) => {
    const height = (HEIGHT * Math.log1p(count)) / most;
    return `<rect x="${(bin * step).toFixed(1)}" y="${(HEIGHT - height).toFixed(1)}" width="${Math.max(1, step - 1).toFixed(1)}" height="${height.toFixed(1)}"/>`;
  });
  const at = here === null ? null : high > low ? Math.min(1, Math.max(0, (here - low) / (high - low))) : 0.5;
  const mark = at === null ? "" : `<line x1="${(at * WIDTH).toFixed(1)}" x2="${(at * WIDTH).toFixed(1)}" y1="0" y2="${HEIGHT}"/>`;
  const picture = element("div");
  picture.innerHTML = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${bars.join("")}${mark}</svg>`;
  const ends = element("div", "lg-exemplar-ends");
  ends.append(element("span", "", readable(low)), element("span", "", readable(high)));
  figure.append(picture, ends, element("figcaption", "", spreadSaid(spread, words)));
  return figure;
}
