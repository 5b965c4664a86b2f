import assert from "node:assert/strict";
import { test } from "node:test";

import { joined, paragraph, refusal, withMore } from "../../../../../viz/ui/browser/maps/said.js";
import { plainPage } from "../plan_shelf/plain_page.js";

plainPage();
const WORDS = { help_more: "More", language_code: "zh" };

test("a sentence has its link, and no sentence has none", () => {
  const [sentence, link] = withMore("No classes.", "colours#why", WORDS);
  assert.deepEqual([sentence, link.textContent, link.href, link.target], ["No classes. ", "More", "help/colours#why", "_blank"]);
  assert.deepEqual(withMore("", "colours#why", WORDS), []);
});

test("a refusal in the visitor's language leads to its own document", () => {
  const found = { error: "no", said: { zh: { error: "不" } }, document: "limits" };
  assert.equal(paragraph(refusal(found, WORDS)).textContent, "不 More");
  assert.equal(paragraph(refusal({ error: "no" }, WORDS)).textContent, "no");
});

test("sentences in a line stand apart, with their links behind them", () => {
  const line = paragraph(joined(["", "one", withMore("two", "colours", WORDS), withMore("", "colours", WORDS), "three"]));
  assert.equal(line.textContent, "one · two More · three");
  assert.equal(paragraph(joined(["", withMore("one", "colours", WORDS)])).textContent, "one More");
});
