// Made-up looks and edits for property tests: the same ones in every run, and the seed of one that fails is told.

import { CHOICES, FIRST } from "../../../../../viz/ui/browser/look/fields.js";
import { NAMES } from "../../../../../viz/ui/browser/look/look.js";

const HARD = [..." +&=#%;:@?/\\\"'<>()*!~-._›äß層\u{1f600}\u00a0\n\t,0a"];
const NUMBERED = { call: [0, 99_998], channel: [0, 99_999], row: [0, 99_999], overlay: [0, 90], strength: [0, 100], index: [0, 99_999], target: [0, 99_999], lesson_step: [1, 99_999], quiz_question: [1, 99_999], training: [0, 999_999], seed: [0, 999_999], step: [1, 999_999], steps: [1, 99_999], window: [1, 99_999], stride: [1, 99_999], top: [1, 99_999], optimised_minus: [0, 99_999], figure_width: [30, 400] };
const WORDS = { ...CHOICES, present: [false, true], embed: [false, true], figure_over: [false, true], figure_photos: [false, true], figure_letters: [false, true] };

/** Check many made-up values; `make` is given a source of chance, `check` what it made. */
export function forAll(count, make, check) {
  for (let seed = 1; seed <= count; seed += 1) {
    const value = make(chanceFrom(seed));
    try {
      check(value);
    } catch (failure) {
      throw new Error(`seed ${seed}: ${JSON.stringify(value)}`, { cause: failure });
    }
  }
}

/** Numbers from 0 to below 1, the same for the same seed (Mulberry32). */
export function chanceFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const whole = (chance, least, most) => least + Math.floor(chance() * (most - least + 1));
export const oneOf = (chance, values) => values[whole(chance, 0, values.length - 1)];
export const several = (chance, most, make) => Array.from({ length: whole(chance, 0, most) }, () => make(chance));
export const hardText = (chance) => several(chance, 12, () => oneOf(chance, HARD)).join("");

/** A value that a field can have. */
export function valueOf(chance, name) {
  if (name in WORDS) return oneOf(chance, WORDS[name]);
  if (name === "cell") return Array.from({ length: oneOf(chance, [0, 2, 3]) }, () => whole(chance, 0, 99_999)).join();
  if (name in NUMBERED) return FIRST[name] === null && chance() < 0.2 ? null : whole(chance, ...NUMBERED[name]);
  return hardText(chance);
}

/** A look with about a third of its fields changed. */
export function madeUpLook(chance) {
  const changed = NAMES.filter(() => chance() < 0.35).map((name) => [name, valueOf(chance, name)]);
  return Object.freeze({ ...FIRST, ...Object.fromEntries(changed) });
}

/** Something that a visitor did. */
export function madeUpAction(chance) {
  const name = oneOf(chance, [...NAMES, "edits", "other", "link"]);
  if (name === "link") return { type: "link", look: madeUpLook(chance) };
  if (name === "edits" || name === "edit") return { type: "edits", edits: hardText(chance) };
  if (name === "other" || name.startsWith("with_")) return { type: "other", other: { with_layer: hardText(chance) } };
  if (name === "layer") return { type: "layer", layer: hardText(chance), ...(chance() < 0.5 ? { call: valueOf(chance, "call") } : {}) };
  return { type: name, [name]: valueOf(chance, name) };
}
