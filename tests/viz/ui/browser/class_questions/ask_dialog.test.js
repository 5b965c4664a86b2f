import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { AskDialog } from "../../../../../viz/ui/browser/class_questions/ask_dialog.js";
import { plainPage } from "../plan_shelf/plain_page.js";

const { questions } = JSON.parse(readFileSync(new URL("../../../../plan_vectors.json", import.meta.url), "utf8"));
const WORDS = new Proxy({}, { get: (_, name) => name });
plainPage();
const BLANK = { kind: "choice", text: "Which?", choices: "", right: "", within: "", explanation: "" };

/** What a form asks, and what the dialog says is wrong with it. */
function read(given) {
  const dialog = { wrong: globalThis.document.createElement("p"), screen: { look: { layer: "conv1" }, maps: 6 } };
  const question = AskDialog.prototype.read.call(dialog, { ...BLANK, ...given }, WORDS);
  return { question, wrong: dialog.wrong.textContent };
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

for (const { typed, asked } of questions) {
  test(`${JSON.stringify(typed)} is left to the server to refuse`, () => {
    assert.deepEqual(read(typed), { question: { choices: [], within: 0, explanation: "", ...asked }, wrong: "" });
  });
}

test("what is typed stays until it is sent", async () => {
  const classroom = { page: { data: { words: WORDS }, store: { get: () => ({ layer: "conv1" }) }, rowOf: () => undefined } };
  const dialog = Object.assign(Object.create(AskDialog.prototype), { classroom, shown: () => null, own: null, wrong: globalThis.document.createElement("p"), dialog: { close: () => {} } });
  const typed = () => [dialog.own.kind, dialog.own.typed.text];
  dialog.form(WORDS);
  dialog.own.choose("number");
  dialog.own.fields.text.value = "How ma";
  dialog.form(WORDS); // as another time that it is opened
  assert.deepEqual(typed(), ["number", "How ma"]);
  await dialog.ask(Promise.resolve(null));
  assert.deepEqual(typed(), ["number", "How ma"], "another question was asked");
  await dialog.ask(Promise.resolve({ error: "nobody is here" }), true);
  assert.deepEqual(typed(), ["number", "How ma"], "it was refused");
  await dialog.ask(Promise.resolve(null), true);
  assert.deepEqual(typed(), ["number", ""]);
});

test("a right answer that cannot be read is refused here", () => {
  for (const typed of [{ choices: "a\nb", right: "b" }, { kind: "shape", right: "large" }, { kind: "number", within: "-1" }]) {
    assert.deepEqual(read(typed), { question: null, wrong: "asking_no_right help_more" });
  }
});
