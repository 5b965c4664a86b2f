// Three ready questions about the screen, one click each.

import { filled } from "../maps/mosaic.js";

/** @typedef {{title: string, question: import("../classroom/asking.js").NewQuestion} | {title: string, quiz: QuizOnScreen}} Ready */
/** @typedef {{look: Look, channel: number, maps: number, quiz: ?QuizOnScreen, sizes: readonly number[]}} OnScreen */

/**
 * @param {OnScreen} screen
 * @param {Words} words
 * @returns {Ready[]}
 */
export function readyQuestions(screen, words) {
  if (screen.quiz) return [{ title: filled(words.ready_quiz, { number: screen.quiz.number + 1 }), quiz: screen.quiz }, clear(words), expected(words)];
  const shape = screen.sizes.length ? [shapeOf(screen, words)] : [];
  if (["layer", "gradients"].includes(screen.look.view)) return [mapOf(screen, words), ...shape, removing(screen, words), expected(words)].slice(0, 3);
  if (screen.look.view === "hooks") return [hookOf(screen, words), ...shape, clear(words), expected(words)].slice(0, 3);
  return [...shape, clear(words), expected(words), sure(words)].slice(0, 3);
}

/** @type {(screen: OnScreen, words: Words) => Ready} */
function mapOf({ look, maps }, words) {
  const text = look.view === "gradients" ? words.ready_map_gradient : words.ready_map;
  return { title: text, question: { kind: "map", text, layer: look.layer, maps } };
}

/** @type {(screen: OnScreen, words: Words) => Ready} */
function shapeOf({ look, sizes }, words) {
  const text = filled(words.ready_shape, { layer: look.layer });
  return { title: text, question: { kind: "shape", text, layer: look.layer, right: sizes, explanation: words.ready_shape_why } };
}

/** @type {(screen: OnScreen, words: Words) => Ready} */
function removing({ look, channel }, words) {
  const text = filled(words.ready_remove, { layer: look.layer, channel });
  return { title: text, question: { kind: "choice", text, layer: look.layer, choices: [words.ready_remove_same, words.ready_remove_less, words.ready_remove_other, words.ready_remove_fails] } };
}

/** @type {(screen: OnScreen, words: Words) => Ready} */
function hookOf({ look }, words) {
  const text = filled(words.ready_hook, { layer: look.layer });
  const choices = [words.ready_hook_before, words.ready_hook_after, words.ready_hook_end];
  return { title: text, question: { kind: "choice", text, layer: look.layer, choices, right: [1], explanation: words.ready_hook_why } };
}

/** @type {(words: Words) => Ready} */
function clear(words) {
  return { title: words.ready_clear, question: { kind: "choice", text: words.ready_clear, choices: [words.ready_clear_yes, words.ready_clear_partly, words.ready_clear_no] } };
}

/** @type {(words: Words) => Ready} */
function expected(words) {
  return { title: words.ready_expected, question: { kind: "choice", text: words.ready_expected, choices: [words.ready_expected_yes, words.ready_expected_no, words.ready_expected_unsure] } };
}

/** @type {(words: Words) => Ready} */
function sure(words) {
  return { title: words.ready_sure, question: { kind: "number", text: words.ready_sure } };
}
