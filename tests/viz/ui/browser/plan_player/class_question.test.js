import assert from "node:assert/strict";
import { test } from "node:test";

import { classQuestion } from "../../../../../viz/ui/browser/plan_player/class_question.js";
import { markedIn, unmarked } from "../../../../../viz/ui/browser/plan_player/marked.js";

const question = (more) => ({ kind: "choice", text: "Is `a` *so*?", answer: "no", why: ["One.", "**Two**."], choices: [], guess: null, ...more });

test("a choice is told by its place, and every text is plain", () => {
  const choices = [{ value: "yes", words: "`yes`", why: "" }, { value: "no", words: "no", why: "x" }];
  assert.deepEqual(classQuestion(question({ choices }), "conv1", 6), {
    kind: "choice", text: "Is a so?", choices: ["yes", "no"], right: [1], within: 0, explanation: "One. Two.",
  });
});

test("a number has its tolerance", () => {
  const asked = classQuestion(question({ kind: "number", answer: "-1.5", guess: { least: -2, most: 9, within: 0.5, unit: "%" } }), "", 0);
  assert.deepEqual([asked.right, asked.within, asked.layer], [[-1.5], 0.5, undefined]);
});

test("maps and shapes are those of the layer on screen, a shape without the batch", () => {
  const map = classQuestion(question({ kind: "map", answer: "3, 15" }), "conv1", 32);
  assert.deepEqual([map.right, map.layer, map.maps], [[3, 15], "conv1", 32]);
  const answers = ["(1, 32, 112, 112)", "(5,)", "(64, 3, 7, 7)", "(1, 1, 28, 28)", "(1,)"];
  const shapes = answers.map((answer) => classQuestion(question({ kind: "shape", answer }), "conv1", 32));
  assert.deepEqual(shapes.map(({ right }) => right), [[32, 112, 112], [5], [64, 3, 7, 7], [1, 28, 28], [1]]);
});

test("what is longer than a class may be told is cut", () => {
  assert.equal(classQuestion(question({ text: "x".repeat(900) }), "", 0).text.length, 400);
});

test("emphasis and code are found, and nothing else means anything", () => {
  assert.deepEqual(markedIn("a `b*c*` *d e* **f** 2 * 3 * 4"), [
    { as: "text", text: "a " }, { as: "code", text: "b*c*" }, { as: "text", text: " " }, { as: "em", text: "d e" },
    { as: "text", text: " " }, { as: "strong", text: "f" }, { as: "text", text: " 2 * 3 * 4" },
  ]);
  assert.equal(unmarked("<b>`x`</b>"), "<b>x</b>");
});
