import assert from "node:assert/strict";
import { test } from "node:test";

import { readyQuestions } from "../../../../../viz/ui/browser/class_questions/ready_questions.js";

globalThis.document = { documentElement: { lang: "en" } };
const WORDS = new Proxy({}, { get: (_, name) => `${String(name)} {layer} {channel} {number}` });
const screen = (view, more = {}) => ({ look: { view, layer: "conv1" }, channel: 5, maps: 6, quiz: null, sizes: [6, 28, 28], ...more });
const kinds = (found) => found.map((each) => ("quiz" in each ? "quiz" : each.question.kind));

test("there are three for every view, and each can be asked as it is", () => {
  for (const view of ["layer", "layers", "gradients", "compare", "hooks", "course", "quiz"]) {
    for (const sizes of [[6, 28, 28], []]) {
      const found = readyQuestions(screen(view, { sizes }), WORDS);
      assert.equal(found.length, 3, view);
      for (const { question } of found) {
        assert.ok(question.text);
        assert.equal((question.choices ?? []).length > 1, question.kind === "choice");
      }
    }
  }
});

test("of a layer one is asked for a map, its shape, and what an edit does", () => {
  const found = readyQuestions(screen("layer"), WORDS);
  assert.deepEqual(kinds(found), ["map", "shape", "choice"]);
  assert.deepEqual(found[1].question.right, [6, 28, 28]);
  assert.deepEqual([found[0].question.layer, found[0].question.maps], ["conv1", 6]);
  assert.match(found[2].title, /conv1 5/);
});

test("in the quiz its question comes first", () => {
  const quiz = { seed: 7, level: "easy", number: 2 };
  const [first] = readyQuestions(screen("quiz", { quiz }), WORDS);
  assert.equal(first.quiz, quiz);
  assert.match(first.title, /3$/);
});
