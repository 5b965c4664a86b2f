import assert from "node:assert/strict";
import { test } from "node:test";

import { isLong, NOTHING, shown, SOON_MS, step } from "../../../../../viz/ui/browser/stage/turn.js";

const asked = (request, now) => ({ type: "asked", request, now });
const answered = (request) => ({ type: "answered", request });
const told = (ahead) => ({ type: "told", ahead });
const after = (...happenings) => happenings.reduce(step, NOTHING);

test("a short wait shows nothing, and a long one how many go before", () => {
  const waiting = after(asked(1, 1000), told(2));
  assert.equal(shown(waiting, 1000 + SOON_MS - 1), 0);
  assert.equal(shown(waiting, 1000 + SOON_MS), 2);
});

test("the oldest request counts, and no longer once it is answered", () => {
  const both = after(asked(1, 0), asked(2, SOON_MS));
  assert.equal(isLong(both, SOON_MS), true);
  assert.equal(isLong(step(both, answered(1)), SOON_MS), false);
  assert.equal(isLong(step(both, answered(1)), 2 * SOON_MS), true);
});

test("what was said of the queue is forgotten with the last answer", () => {
  const over = after(asked(1, 0), told(3), answered(1));
  assert.deepEqual(over, NOTHING);
  assert.equal(shown(step(over, asked(2, 0)), SOON_MS), 0);
});

test("what is said too late is not shown", () => {
  assert.deepEqual(after(asked(1, 0), answered(1), told(5)), NOTHING);
});

test("nobody before, or nobody who knows, shows nothing", () => {
  for (const ahead of [0, null]) assert.equal(shown(after(asked(1, 0), told(ahead)), SOON_MS), 0);
});

test("a state is never changed", () => {
  const before = after(asked(1, 0));
  step(before, answered(1));
  assert.deepEqual(before.since, { 1: 0 });
});
