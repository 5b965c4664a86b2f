// Maps of signals, channels by time, with the signal above them on the same axis.

import { seenAddress } from "./addresses.js";
import { element } from "./mosaic.js";

const TALLEST = 0.7; // of the available room
const SIGNAL_HEIGHT = 72; // screen pixels

// Drawn size of a mosaic. Values of signals are drawn taller than wide, by whole pixels: their picture is very low.
/** @type {(facts: Pick<LayerFacts, "kind" | "geometry">, drawn: import("./magnify.js").Drawn, room: {height: number}) => import("./magnify.js").Drawn} */
export function stretched({ kind, geometry }, { scale, stretch }, room) {
  if (kind !== "signals" && kind !== "bar") return { scale, stretch };
  const ratio = window.devicePixelRatio || 1;
  const row = Math.floor((TALLEST * room.height * ratio) / geometry.height) / ratio;
  return { scale, stretch: Math.max(1, row / scale) };
}

// The signal as the model was given it, as wide as the map; models that are given a picture have none.
/**
 * @param {Object} viewer
 * @param {{main: HTMLElement, frame: HTMLElement}} viewer.parts
 * @param {number} viewer.scale
 * @param {{signal: boolean, subject: string}} viewer.data
 * @param {Words} viewer.words
 * @param {LayerFacts} facts
 */
export function drawSignal({ parts, scale, data, words }, facts) {
  const wanted = data.signal && facts.kind === "signals";
  /** @type {?HTMLImageElement} */
  let image = parts.main.querySelector(".lg-signal");
  if (!wanted) return void image?.remove();
  if (!image) {
    image = element("img", "lg-signal");
    parts.frame.before(image);
  }
  const seen = seenAddress(data.subject);
  if (image.getAttribute("src") !== seen) image.src = seen;
  image.alt = words.seen_alt;
  image.style.width = `${facts.geometry.width * scale}px`;
  image.style.height = `${SIGNAL_HEIGHT}px`;
}
