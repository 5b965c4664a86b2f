import assert from "node:assert/strict";
import { test } from "node:test";

import { begun, gameOf, newSeed, rightIn } from "../../../../../viz/ui/browser/learning/games.js";

test("a quiz goes on where it was left, until it is begun anew", () => {
  const game = gameOf(77);
  Object.assign(game, { number: 3, questions: 8, given: [{ choice: 1, right: true }] });
  assert.equal(gameOf(77), game);
  assert.deepEqual(gameOf(78), { number: 0, questions: null, given: [] });
  assert.deepEqual(begun(77), { number: 0, questions: null, given: [] });
  assert.equal(gameOf(77).number, 0);
});

test("only right answers count", () => {
  const given = [{ choice: 0, right: true }, { choice: 3, right: false }, { choice: 2 }, { choice: 2, right: true }];
  assert.equal(rightIn({ number: 3, questions: 8, given }), 2);
});

test("a seed is short, and never that of the quiz before", () => {
  assert.equal(newSeed(undefined, () => 0), 0);
  assert.equal(newSeed(undefined, () => 0.99999), 9999);
  assert.equal(newSeed(5, () => 0.0005), 6);
  assert.equal(newSeed(9999, () => 0.99999), 0);
});
