// A pair is one page of each side: their facts and pictures, and those of their difference.

import { filled, readable } from "../maps/mosaic.js";
import { addressOf, another, placeFields } from "../maps/question.js";

export const SIDES = ["left", "right", "difference"];

// The address of a pair's facts; each side is [layer, call].
export function pairAddress({ subject, look, other_subject: other }, [layer, call], [otherLayer, otherCall], room) {
  const beside = { with: other, with_layer: otherLayer, with_call: otherCall + 1 };
  return addressOf(subject, "pair.json", { ...look, ...placeFields(layer, call), ...beside, room: room.text() });
}

export async function fetchPair(address, prefetch) {
  const answer = await fetch(address, { headers: prefetch ? { "x-layerglass-prefetch": "1" } : {} });
  const found = await answer.json();
  if (!answer.ok) {
    if (found.superseded || answer.status >= 500) throw new Error(found.error);
    return { address, error: found.error, said: found.said };
  }
  const pages = await Promise.all(SIDES.filter((side) => found[side]).map(async (side) => {
    const image = new Image();
    image.src = another(address, `pair.${side}.png`);
    await image.decode();
    return [side, { facts: found[side], image }];
  }));
  return { address, sides: Object.fromEntries(pages), problems: found.problems, said: found.said, distances: found.distances };
}

// Why there is no difference, if both sides are there.
export function shapesApart({ left, right }, words) {
  const maps = ({ facts }) => filled(words.pair_maps, { count: facts.geometry.channels, height: facts.geometry.map_height, width: facts.geometry.map_width });
  return filled(words.pair_shapes, { left: maps(left), right: maps(right) });
}

// One channel of both sides in numbers; of one side alone if there is no difference.
export function channelInWords({ sides, distances }, side, channel, words) {
  const of = (name, figure) => readable(sides[name].facts.channels[figure][channel]);
  if (sides.difference) {
    return filled(words.pair_channel, { channel, left: of("left", "mean"), right: of("right", "mean"), distance: readable(distances[channel]) });
  }
  return filled(words.pair_channel_apart, { channel, mean: of(side, "mean"), min: of(side, "minimum"), max: of(side, "maximum") });
}
