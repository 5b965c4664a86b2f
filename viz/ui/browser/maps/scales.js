// The note on the colours' scale, if that is not this layer's own range or its colours are stretched.

import { isStretched } from "./colours.js";
import { filled, percent, readable } from "./mosaic.js";

/** @type {(facts: LayerFacts, words: Words, live: boolean) => string} */
export function scaleNote(facts, words, live) {
  return [rangeNote(facts, words, live), isStretched(facts.colormap) ? stretchedNote(facts, words) : ""].filter(Boolean).join(" · ");
}

/** @type {(facts: LayerFacts, words: Words) => string} */
function stretchedNote({ signed, vmin }, words) {
  return signed || typeof vmin === "number" ? filled(words.stretched_note, { least: readable(signed ? 0 : vmin) }) : words.stretched_each_note;
}

/** @type {(facts: LayerFacts, words: Words, live: boolean) => string} */
function rangeNote({ scale, vmin, vmax, beyond, signed }, words, live) {
  const values = { low: readable(vmin), high: readable(vmax), share: percent(beyond) };
  // Where nearly all values are one, both percentiles are that one, and the colours span all values.
  if (scale === "clipped" && !beyond) return filled(words.scale_unclipped_note, values);
  if (scale === "clipped") return filled(signed ? words.scale_clipped_signed_note : words.scale_clipped_note, values);
  if (scale === "model") return filled(live ? words.scale_model_live_note : words.scale_model_note, values);
  return scale === "channel" ? words.scale_channel_note : "";
}
