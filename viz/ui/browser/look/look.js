// The look: everything on screen but the subject, as one frozen object. It is also the text of an address;
// viz/request/look.py reads and writes the same text, with the same names.

import { FIRST, FORMS } from "./fields.js";

/** @typedef {import("./fields.js").Fields} Fields */
/** @typedef {import("./fields.js").View} View */

/**
 * The other side of a comparison: "" where the page chooses by itself, "same", "none", a name or a number.
 * @typedef {{[Name in keyof Fields as Name extends `with_${string}` ? Name : never]: Fields[Name]}} Other
 */

/** @typedef {Readonly<Fields>} Look */
/** @typedef {{name: string, value: string}} Vain */
/** @typedef {{layer: string, channel: number}} ShownChannel - the one on screen, whether or not the look names it */

/**
 * A choice of one field, which changes nothing else, or what means nothing beside it.
 * @typedef {{[Name in Exclude<keyof Fields, "layer" | "edit" | "lesson" | "optimised_aim" | keyof Other>]: {type: Name} & {[Own in Name]: Fields[Own]}}} Choices
 */

/**
 * An action of the visitor; a `view` in it is chosen in the same step.
 * @typedef {{view?: View} & (Choices[keyof Choices]
 *   | {type: "layer", layer: string, call?: number, seen?: Look}
 *   | {type: "edits", edits: string}
 *   | {type: "optimised_aim", optimised_aim: Look["optimised_aim"], optimised_minus?: ?number}
 *   | {type: "lesson", lesson: string, lesson_step?: ?number}
 *   | {type: "other", other: Partial<Other>}
 *   | {type: "link", look: Look})} Action
 */

// Fields of a look that decide the values on screen of a layer.
/** @type {readonly (keyof Look)[]} */
const VALUES = ["call", "leaf", "kind", "row", "index", "edit", "show"];
/** @type {readonly (keyof Look)[]} */
const STAYING = ["view", "layer", "channel"];

// Fields of a look that decide an optimised picture: with another, none is asked for any more.
/** @type {readonly (keyof Look)[]} */
const PICTURED = ["layer", "call", "channel", "kind", "optimised_minus", "optimised_way", "optimised_count"];

const { leaf, kind, row, index, cell, call, channel, step: noStep } = FIRST;
const SLICE = { row, index, cell };
const LAYOUT = { kind, ...SLICE };

/** How a layer is drawn, and its cell, as another layer starts with them. */
export const USUAL = Object.freeze({ leaf, ...LAYOUT });
const LAYER = { call, channel, ...USUAL, step: noStep, optimised_aim: FIRST.optimised_aim, optimised_minus: FIRST.optimised_minus };

/**
 * The look after an action; the same object if that changes nothing.
 * @param {Look} look
 * @param {Action} action
 * @returns {Look}
 */
export function step(look, action) {
  const next = { ...look, ...changes(look, action) };
  if (action.view) next.view = action.view;
  if (next.view !== look.view && action.type !== "link") next.cell = cell; // it is of the maps that were there
  if (action.type !== "link") Object.assign(next, withoutOthers(look, next));
  return equal(look, next) ? look : Object.freeze(next);
}

// The optimised picture of the look before is nobody's wish in the next, nor is one of a cell that is not there.
/** @type {(look: Look, next: Look) => Partial<Look>} */
function withoutOthers(look, next) {
  return { optimised_aim: aimOf(next), optimised: pictureOf(next) === pictureOf(look) ? next.optimised : undrawn(next) };
}

/** What a picture can be made for: not for a cell that is not there, nor for a channel without itself. @param {Look} look */
export function aimOf({ optimised_aim: aim, optimised_minus: minus, cell: at, channel: shown }) {
  const isVain = aim === "cell" ? !at : aim === "minus" && (minus === null || minus === shown);
  return isVain ? FIRST.optimised_aim : aim;
}

// The optimised picture that a look means, in short.
/** @param {Look} look */
function pictureOf(look) {
  const aim = aimOf(look);
  return JSON.stringify([aim, aim === "cell" ? look.cell.split(",", 2) : [], PICTURED.map((name) => look[name])]);
}

/** A picture that was asked for is asked for no more. @type {(look: Pick<Look, "optimised">) => Look["optimised"]} */
export function undrawn({ optimised }) {
  return optimised === "drawn" ? "open" : optimised;
}

/**
 * A look with the sections unfolded as in another: undo passes over folding.
 * @param {Look} look
 * @param {Look} other
 * @returns {Look}
 */
export function asUnfolded(look, other) {
  const next = { ...look, filter: other.filter, exemplars: other.exemplars, optimised: optimisedAs(look, other) };
  return equal(look, next) ? look : Object.freeze(next);
}

// As in the other look, if they mean the same picture; another one is made if it was, and stands open there.
/** @type {(look: Look, other: Look) => Look["optimised"]} */
function optimisedAs(look, other) {
  if (pictureOf(look) === pictureOf(other)) return other.optimised;
  const folded = undrawn(other), isOpen = folded === "open" || (folded === "auto" && look.view === "unit");
  return isOpen && look.optimised === "drawn" ? look.optimised : folded;
}

/**
 * Check whether two looks differ at most in what is unfolded.
 * @param {Look} one
 * @param {Look} other
 */
export function isUnfoldedAlone(one, other) {
  const folded = { filter: FIRST.filter, exemplars: FIRST.exemplars, optimised: FIRST.optimised };
  return equal({ ...one, ...folded }, { ...other, ...folded });
}

/**
 * The next look with the channel that is on screen, if other values of the layer come and nobody has chosen one: by
 * those, the page would choose another.
 * @param {Look} look
 * @param {Look} next
 * @param {?ShownChannel} shown
 * @returns {Look}
 */
export function withShown(look, next, shown) {
  const stays = STAYING.every((name) => next[name] === look[name]) && shown?.layer === look.layer;
  const others = VALUES.some((name) => next[name] !== look[name]) || (look.view === "gradients" && next.target !== look.target);
  if (!stays || !others) return next;
  return Object.freeze({ ...next, channel: shown.channel });
}

/**
 * Check whether two looks are the same on screen.
 * @param {Look} one
 * @param {Look} other
 */
export function equal(one, other) {
  return NAMES.every((name) => one[name] === other[name]);
}

// The fields that an action sets. What means nothing beside the new choice goes back to its default, or for a layer to
// what was chosen when it was last `seen`.
/** @type {(look: Look, action: Action) => Partial<Look>} */
function changes(look, action) {
  switch (action.type) {
    case "layer": {
      const asked = action.call === undefined ? {} : { call: action.call };
      return action.layer === look.layer ? calledBy(look, asked) : { ...LAYER, ...choicesIn(action.seen), layer: action.layer, ...asked };
    }
    case "call":
      return calledBy(look, { call: action.call });
    case "leaf":
      return { ...LAYOUT, leaf: action.leaf };
    case "kind":
      return { ...SLICE, kind: action.kind };
    case "index":
      return { index: action.index, cell };
    case "channel": // which channel of the input counts most is another one
      return { channel: action.channel, cell: look.cell.split(",", 2).join() };
    case "method":
      return { method: action.method, steps: FIRST.steps, window: FIRST.window, stride: FIRST.stride };
    case "window": // how far it moves follows from its size
      return { window: action.window, stride: FIRST.stride };
    case "edits": // without edits there is no before
      return action.edits ? { edit: action.edits } : { edit: "", show: FIRST.show };
    case "optimised_aim":
      return { optimised_aim: action.optimised_aim, optimised_minus: action.optimised_minus ?? null };
    case "lesson":
      return { lesson: action.lesson, lesson_step: action.lesson_step ?? null };
    case "seed": // another quiz, and how far the visitor is in that
      return { seed: action.seed, quiz_question: FIRST.quiz_question };
    case "level":
      return { level: action.level, quiz_question: FIRST.quiz_question };
    case "other":
      return action.other;
    case "link": // whatever a page in a frame leads to, it stays there
      return { ...action.look, embed: look.embed || action.look.embed };
    default: {
      const { type, ...chosen } = action;
      return chosen;
    }
  }
}

// Choices of the visitor for a layer.
/** @type {(seen?: Look) => Partial<Look>} */
function choicesIn(seen) {
  if (!seen) return {};
  return { channel: seen.channel, leaf: seen.leaf, kind: seen.kind, row: seen.row, index: seen.index };
}

// A step of the timeline belongs to one call, and so does a cell.
/** @type {(look: Look, asked: {call?: number}) => Partial<Look>} */
function calledBy(look, asked) {
  return asked.call === undefined || asked.call === look.call ? {} : { ...asked, step: noStep, cell };
}

/** The look's names, in the order of its text. @type {readonly (keyof Look)[]} */
export const NAMES = Object.freeze(/** @type {(keyof Look)[]} */ (Object.keys(FIRST)));

/**
 * The look as the query of an address, as browsers write it; without fields at their defaults.
 * @param {Look} look
 * @returns {string}
 */
export function lookToQuery(look) {
  const said = NAMES.filter((name) => look[name] !== FIRST[name]);
  return new URLSearchParams(said.map((name) => [name, FORMS[name].write(look[name])])).toString();
}

/**
 * The look that a query says, and what it asks for in vain. Of a name that is said twice the first counts; names that
 * are not the look's are passed over.
 * @param {string} query - with or without its question mark
 * @returns {{look: Look, vain: Vain[]}}
 */
export function lookFromQuery(query) {
  const asked = new URLSearchParams(query);
  /** @type {Partial<Record<keyof Look, unknown>>} */
  const found = {};
  /** @type {Vain[]} */
  const vain = [];
  for (const name of NAMES) {
    const value = asked.get(name);
    if (value === null) continue;
    const read = FORMS[name].read(value);
    if (read === undefined) vain.push({ name, value });
    else found[name] = read;
  }
  return { look: Object.freeze(/** @type {Look} */ ({ ...FIRST, ...found })), vain };
}
