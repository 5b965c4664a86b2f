import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { PlanError } from "../../../../../viz/ui/browser/plan/blocks.js";
import { faultOf, LONGEST_FILE, planFrom } from "../../../../../viz/ui/browser/plan/reading.js";
import { planText } from "../../../../../viz/ui/browser/plan/writing.js";

const { plans, faults } = JSON.parse(readFileSync(new URL("../../../../plan_vectors.json", import.meta.url), "utf8"));
const [{ text: WHOLE }] = plans;
const shipped = ["en", "zh"].flatMap((language) => ["1-what-a-convolution-sees", "2-why-in-place-and-hooks-surprise", "3-how-a-net-makes-up-its-mind"].map((name) => (
  readFileSync(new URL(`../../../../../viz/plans/texts/${language}/${name}.md`, import.meta.url), "utf8"))));
const plain = (value) => JSON.parse(JSON.stringify(value));

for (const { name, text, plan } of plans) {
  test(`a plan with ${name} is what its file says`, () => assert.deepEqual(plain(planFrom(text)), plan));
}

for (const { sentence, line, text, old, new: other } of faults) {
  test(`${sentence} in line ${line}`, () => {
    const spoiled = text ?? WHOLE.replace(old, () => other);
    assert.notEqual(spoiled, WHOLE);
    assert.throws(() => planFrom(spoiled), (error) => error instanceof PlanError && error.sentence === sentence && error.line === line);
  });
}

test("a fault is one sentence with its line and its values", () => {
  const words = { plan_wrong_at: "Line {line}: {sentence}", plan_wrong_header: "there is no header {name}." };
  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  let said = "";
  try {
    planFrom(WHOLE.replace("about:", "abuot:"));
  } catch (error) {
    said = faultOf(error, words, filled);
  }
  assert.equal(said, "Line 2: there is no header abuot.");
  assert.throws(() => faultOf(new TypeError("a bug"), words, filled), TypeError);
});

test("what is written is read as the same plan, also what a teacher types that looks like a sign", () => {
  const typed = ["# no heading", "- no choice", "? no question", "! no reason", "> no note", "``` no code", "\\ a backslash", "minutes: 9", "?", "look: here"];
  const hard = { ...plans[1].plan, steps: [{ ...plans[1].plan.steps[0], title: "# ? -", text: typed, note: typed }] };
  for (const plan of [...plans.map((each) => each.plan), ...shipped.map((text) => plain(planFrom(text))), hard]) {
    assert.deepEqual(plain(planFrom(planText(plan))), plan);
  }
});

test("lines may end as on any system, and a mark of the encoding may stand first", () => {
  assert.deepEqual(planFrom(`\uFEFF${WHOLE.replaceAll("\n", "\r\n")}`), planFrom(WHOLE));
});

test("a file without an end is not read", () => {
  assert.throws(() => planFrom(`# T\n${"a".repeat(LONGEST_FILE)}`), (error) => error.sentence === "long");
});
