import assert from "node:assert/strict";
import { test } from "node:test";

import { begun, clockFrom, inAll, inStep, spelt, turned } from "../../../../../viz/ui/browser/plan_player/clock.js";

test("each step has its own time, also after coming back to it, and all of them add up", () => {
  const first = begun(3, 1000);
  const second = turned(first, 1, 61_000);
  const back = turned(second, 0, 91_000);
  assert.deepEqual([inStep(first, 61_000), inStep(second, 91_000), inStep(back, 96_000)], [60_000, 30_000, 65_000]);
  assert.equal(inAll(back, 96_000), 95_000);
});

test("a clock that was kept goes on as if the page had not been away", () => {
  const clock = turned(begun(2, 0), 1, 5000);
  const kept = clockFrom(JSON.parse(JSON.stringify(clock)), 2);
  assert.equal(inStep(kept, 65_000), 60_000);
  assert.equal(inAll(kept, 65_000), 65_000);
});

test("a clock of another lesson, or of none, is not taken", () => {
  const kept = begun(2, 0);
  for (const found of [null, {}, { ...kept, at: 2 }, { ...kept, since: "x" }, { ...kept, spent: [1] }, { ...kept, spent: [1, -1] }]) assert.equal(clockFrom(found, 2), null);
  assert.equal(clockFrom(kept, 3), null);
});

test("a machine whose clock is set back counts nothing below zero", () => {
  assert.equal(inStep(begun(1, 5000), 1000), 0);
});

test("time is read as minutes and seconds", () => {
  assert.deepEqual([0, 59_999, 60_000, 2_705_000].map(spelt), ["0:00", "0:59", "1:00", "45:05"]);
});
