import assert from "node:assert/strict";
import { test } from "node:test";

import { AskDialog } from "../../../../../viz/ui/browser/class_questions/ask_dialog.js";

const WORDS = new Proxy({}, { get: (_, name) => `${String(name)} {most}` });
const BLANK = { kind: "choice", text: "Which?", choices: "", right: "", within: "", explanation: "" };

/** What a form asks, and what the dialog says is wrong with it. */
function read(given) {
  const dialog = { wrong: { textContent: "" }, screen: { look: { layer: "conv1" }, maps: 6 } };
  const question = AskDialog.prototype.read.call(dialog, { ...BLANK, ...given }, WORDS);
  return { question, wrong: dialog.wrong.textContent.split(" ")[0], said: dialog.wrong.textContent };
}

test("a shape in brackets is asked without its batch, as students type it", () => {
  const right = (typed) => read({ kind: "shape", right: typed }).question.right;
  const same = ["(1, 64, 56, 56)", "64×56×56", "64, 56, 56", "(64, 56, 56)", "torch.Size([1, 64, 56, 56])"];
  for (const typed of same) {
    assert.deepEqual(right(typed), [64, 56, 56], typed);
  }
  assert.deepEqual(right("(64, 3, 7, 7)"), [64, 3, 7, 7]);
  assert.deepEqual(right("1×28×28"), [1, 28, 28], "one channel, and no batch");
  assert.deepEqual([right("(1,)"), right("(5)")], [[1], [5]]);
});

test("a choice that the server would not take is said to be too long", () => {
  const long = (letter, count) => read({ choices: `a\n${letter.repeat(count)}` });
  assert.deepEqual([long("x", 161).question, long("x", 161).said], [null, "asking_long_choice 160"]);
  for (const letter of ["x", "图", "😀"]) assert.equal(long(letter, 160).wrong, "", letter);
});

test("two to six choices are asked, and a right one is among them", () => {
  for (const choices of ["", "a", "1\n2\n3\n4\n5\n6\n7"]) {
    assert.equal(read({ choices }).wrong, "asking_no_choices");
  }
  assert.deepEqual(read({ choices: "1\n2\n3\n4\n5\n6", right: "6" }).question.right, [5]);
  assert.equal(read({ choices: "a\nb", right: "3" }).wrong, "asking_no_right");
});
