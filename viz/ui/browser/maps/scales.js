// The note on the colours' scale, if that is not this layer's own range.

import { filled, percent, readable } from "./mosaic.js";

/** @type {(facts: LayerFacts, words: Words, live: boolean) => string} */
export function scaleNote({ scale, vmin, vmax, beyond, signed }, words, live) {
  const values = { low: readable(vmin), high: readable(vmax), share: percent(beyond) };
  // Where nearly all values are one, both percentiles are that one, and the colours span all values.
  if (scale === "clipped" && !beyond) return filled(words.scale_unclipped_note, values);
  if (scale === "clipped") return filled(signed ? words.scale_clipped_signed_note : words.scale_clipped_note, values);
  if (scale === "model") return filled(live ? words.scale_model_live_note : words.scale_model_note, values);
  return scale === "channel" ? words.scale_channel_note : "";
}
