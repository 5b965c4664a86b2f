// A pair of pages, one of each side: facts, pictures, and their difference.

import { addressOf, queryOf } from "../maps/addresses.js";
import { filled, readable } from "../maps/mosaic.js";
import { asked, GONE, pictured } from "../page/asking.js";

export const SIDES = Object.freeze(/** @type {const} */ (["left", "right", "difference"]));

/** @typedef {typeof SIDES[number]} Side */
/** @typedef {import("../maps/pages.js").Asked} Asked */
/** @typedef {{facts: LayerFacts, image: HTMLImageElement}} SidePage */
/** @typedef {Partial<Record<Side, SidePage>>} SidePages */
/** @typedef {Asked & Pick<PairFacts, "problem_left" | "problem_right" | "distances" | "said"> & {sides: SidePages, error?: undefined}} Pair */
/** @typedef {{row: Pick<LayerRow, "name">, call: number}} Beside - where the other side is */
/** @typedef {Asked & Answer & {sides?: undefined}} NoPair - why there is none */

// Fields that decide how a layer of the first side is drawn. Channels of a comparison have no scales of their own.
/** @type {(keyof Look)[]} */
const DRAWN = ["layer", "call", "colormap", "scale", "edit", "with_layer", "with_call", "with_edits", "with_order"];

// The request for a pair: the first side as the look says, the other one at its layer and call, without edits if it has
// none.
/** @type {(subject: string, look: Look, other: Pick<OtherFacts, "subject" | "chosen">, beside: Beside, room: {query: () => string}) => Asked} */
export function pairAsked(subject, look, other, beside, room) {
  const { with_edits, with_order } = other.chosen;
  const both = {
    ...look,
    scale: look.scale === "channel" ? "layer" : look.scale,
    with_layer: beside.row.name,
    with_call: String(beside.call + 1),
    with_edits: with_edits === "same" ? "" : with_edits,
    with_order,
  };
  return { subject, query: `${queryOf(both, DRAWN)}&with=${other.subject}&${room.query()}` };
}

// The request for one side alone, for its values.
/** @type {(subject: string, look: Look, place: Pick<Look, "layer" | "call">, edited: boolean) => Asked} */
export function sideAsked(subject, look, place, edited) {
  const alone = { ...look, ...place, edit: edited ? look.edit : "" };
  return { subject, query: queryOf(alone, ["layer", "call", "edit"]) };
}

/** @type {(asked: Asked, prefetch: boolean) => Promise<Pair | NoPair>} */
export async function fetchPair({ subject, query }, prefetch) {
  /** @type {Record<string, string>} */
  const headers = prefetch ? { "x-layerglass-prefetch": "1" } : {};
  const answer = await asked(addressOf(subject, "pair.json", query), { headers });
  /** @type {PairFacts} */
  const found = await answer.json();
  if (!answer.ok) {
    if (found.superseded || [GONE, 429].includes(answer.status) || answer.status >= 500) throw new Error(found.error);
    return { subject, query, error: found.error, said: found.said, document: found.document };
  }
  const pages = await Promise.all(SIDES.map(async (side) => {
    const facts = found[side];
    if (!facts) return [];
    const image = new Image(), picture = addressOf(subject, `pair.${side}.png`, query);
    image.src = picture;
    await pictured(picture, image.decode(), { headers });
    return [/** @type {const} */ ([side, { facts, image }])];
  }));
  const { problem_left, problem_right, distances } = found;
  return { subject, query, sides: Object.fromEntries(pages.flat()), problem_left, problem_right, said: found.said, distances };
}

// The reason for no difference, if both sides are there.
/** @type {(left: SidePage, right: SidePage, words: Words) => string} */
export function shapesApart(left, right, words) {
  /** @param {SidePage} page */
  const maps = ({ facts: { geometry } }) => filled(words.pair_maps, { count: geometry.channels, height: geometry.map_height, width: geometry.map_width });
  return filled(words.pair_shapes, { left: maps(left), right: maps(right) });
}

// True if both sides are drawn between the same limits: those of their maps, if these correspond, or of both models.
/** @type {(sides: SidePages) => boolean} */
export function shareScale({ left, right, difference }) {
  return Boolean(difference) || (left ?? right)?.facts.scale === "model";
}

// The meaning of both sides' colours, in words; empty if there is only one side.
/** @type {(sides: SidePages, words: Words) => string} */
export function scaleInWords({ left, right, difference }, words) {
  if (!left || !right) return "";
  const { vmin, vmax, signed } = left.facts;
  const clipped = [left, right, difference].some((side) => side?.facts.beyond); // two percentiles may be one value
  const scale = left.facts.scale === "clipped" && !clipped ? "layer" : left.facts.scale;
  /** @type {Partial<Record<string, string>>} */
  const texts = difference
    ? { layer: words.pair_scale, clipped: signed ? words.pair_scale_clipped_signed : words.pair_scale_clipped, model: words.pair_scale_model }
    : { layer: words.pair_scale_apart, clipped: words.pair_scale_clipped_apart, model: words.pair_scale_model_apart };
  return filled(texts[scale] ?? "", { low: readable(vmin), high: readable(vmax) });
}

// One channel of both sides in numbers; of one side alone if there is no difference.
/** @type {(pair: Pair, side: Side, channel: number, words: Words) => string} */
export function channelInWords({ sides, distances }, side, channel, words) {
  /** @type {(name: Side, figure: "mean" | "minimum" | "maximum") => string} */
  const of = (name, figure) => readable(sides[name]?.facts.channels[figure][channel]);
  if (sides.difference) {
    return filled(words.pair_channel, { channel, left: of("left", "mean"), right: of("right", "mean"), distance: readable(distances[channel]) });
  }
  return filled(words.pair_channel_apart, { channel, mean: of(side, "mean"), min: of(side, "minimum"), max: of(side, "maximum") });
}

// One cell of both sides in numbers; of one side alone if there is no difference. A value may not be here yet.
/** @type {(pair: Pick<Pair, "sides">, side: Side, at: {channel: number, y: number, x: number}, values: Partial<Record<Side, number>>, words: Words) => string} */
export function cellInWords({ sides }, side, at, { left, right }, words) {
  if (!sides.difference) return filled(words.pair_cell_apart, { ...at, side: side === "left" ? "A" : "B", value: inWords(side === "left" ? left : right) });
  const difference = left !== undefined && right !== undefined ? left - right : undefined;
  return filled(words.pair_cell, { ...at, left: inWords(left), right: inWords(right), difference: inWords(difference) });
}

/** @param {number | undefined} number */
function inWords(number) {
  return number === undefined ? "–" : readable(number);
}
