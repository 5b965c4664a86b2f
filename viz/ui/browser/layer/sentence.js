// One sentence about the maps: number, size, and what the layer makes of its input.

import { filled } from "../maps/mosaic.js";

/**
 * @param {Pick<LayerFacts, "leaf"> & {geometry: Pick<Geometry, "channels" | "map_height" | "map_width">}} facts
 * @param {string} made - how the value comes from the layer's input
 * @param {boolean} gradient
 * @param {Words} words
 */
export function sentenceOf({ leaf, geometry }, made, gradient, words) {
  const { channels: count, map_height: height, map_width: width } = geometry;
  const what = height === 1 && width === 1 ? filled(words.sentence_numbers, { count }) : filled(words.sentence_maps, { count, height, width });
  if (gradient) return filled(words.sentence_gradient, { what });
  return leaf.startsWith("inputs") ? filled(words.sentence_given, { what }) : filled(words.sentence_made, { what, made });
}
