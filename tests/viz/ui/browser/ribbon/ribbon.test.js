import assert from "node:assert/strict";
import { test } from "node:test";

import { FIRST } from "../../../../../viz/ui/browser/look/fields.js";
import { Ribbon } from "../../../../../viz/ui/browser/ribbon/ribbon.js";

globalThis.document = { documentElement: { lang: "en" } };
const quiet = () => {};

/** A ribbon whose answer is drawn, and that asks for nothing. */
function ribbon() {
  const parts = { "li.lg-ribbon-answer": { hidden: false, querySelector: (name) => parts[name] }, b: {}, small: {} };
  const data = { subject: "cat", chain: [{ layer: "conv1", layers: [] }], words: { language_code: "en" }, rows: [], untrained: false };
  const made = Object.assign(Object.create(Ribbon.prototype), {
    root: {}, list: parts["li.lg-ribbon-answer"], page: { data, veiled: false }, top: [], subject: "", drawLinks: quiet, light: quiet, ask: quiet,
  });
  made.list.querySelector = (name) => parts[name];
  made.show(FIRST);
  made.top = [{ label: "tabby", share: 0.9 }];
  made.drawAnswer(made.top);
  return { made, data, answer: made.list };
}

test("the answer about a picture goes with it, and stays with another language or a veil", () => {
  const { made, data, answer } = ribbon();
  Object.assign(made.page, { data: { ...data, words: { language_code: "de" } }, veiled: true });
  made.show(FIRST);
  assert.deepEqual([answer.hidden, made.top.length], [false, 1]);
  made.page.data = { ...data, subject: "dog" };
  made.show(FIRST);
  assert.deepEqual([answer.hidden, made.top], [true, []]);
});
