import assert from "node:assert/strict";
import { test } from "node:test";

import { begun, gameOf, gamesIn, give, keepGames, longestStreak, newSeed, openIn, rightIn, streakIn, typedSeed, wrongIn } from "../../../../../viz/ui/browser/learning/games.js";

const EMPTY = { number: 0, given: [] };
const RIGHT = { choice: 1, right: true };
const WRONG = { choice: 2, right: false };

test("a quiz goes on where it was left, until it is begun anew", () => {
  const quiz = { seed: 77, level: "climb" };
  const game = gameOf(quiz);
  Object.assign(game, { number: 3, given: [RIGHT, RIGHT, RIGHT] });
  assert.equal(gameOf({ ...quiz }), game);
  assert.deepEqual(gameOf({ seed: 78, level: "climb" }), EMPTY);
  assert.deepEqual(gameOf({ seed: 77, level: "easy" }), EMPTY);
  assert.deepEqual(begun(quiz), EMPTY);
  assert.equal(gameOf(quiz).number, 0);
});

test("only right answers count", () => {
  const given = [{ choice: 0, right: true }, { choice: 3, right: false }, { choice: 2 }, { choice: 2, right: true }];
  assert.equal(rightIn({ given }), 2);
  assert.deepEqual(wrongIn({ given }), [1]);
});

test("a question that was passed over is neither right nor wrong, and can be answered later", () => {
  const game = begun({ seed: 5, level: "hard" });
  give(game, 0, 1);
  give(game, 3, 2);
  assert.deepEqual(game.given, [{ choice: 1 }, null, null, { choice: 2 }]);
  Object.assign(game.given[0], { right: true });
  Object.assign(game.given[3], { right: true });
  assert.deepEqual([rightIn(game), wrongIn(game), streakIn(game), openIn(game)], [2, [], 2, [1, 2, 4, 5, 6, 7]]);
  give(game, 1, 0);
  assert.deepEqual(game.given, [{ choice: 1, right: true }, { choice: 0 }, null, { choice: 2, right: true }]);
  assert.deepEqual(openIn(game), [2, 4, 5, 6, 7]);
});

test("a streak is what was right since the last wrong answer", () => {
  assert.equal(streakIn({ given: [] }), 0);
  assert.equal(streakIn({ given: [RIGHT, RIGHT] }), 2);
  assert.equal(streakIn({ given: [RIGHT, RIGHT, WRONG] }), 0);
  assert.equal(streakIn({ given: [RIGHT, WRONG, RIGHT, RIGHT, { choice: 0 }] }), 2);
  assert.equal(longestStreak({ given: [RIGHT, RIGHT, RIGHT, WRONG, RIGHT] }), 3);
  assert.equal(longestStreak({ given: [] }), 0);
});

test("what was kept is read as it was written, and only games are", () => {
  const game = { number: 1, given: [RIGHT, WRONG] };
  assert.deepEqual([...gamesIn(JSON.stringify({ "77 easy": game }))], [["77 easy", game]]);
  const over = { number: 8, given: Array(8).fill(RIGHT) };
  const passedOver = { number: 3, given: [RIGHT, null, null, WRONG] };
  const asOnceKept = { number: 1, questions: 8, given: [RIGHT, WRONG] };
  for (const fine of [over, passedOver, asOnceKept]) assert.deepEqual([...gamesIn(JSON.stringify({ a: fine })).values()], [fine]);
  for (const vain of ["", "{", "null", "5", '"x"']) assert.equal(gamesIn(vain).size, 0);
  const wrong = [
    null, 5, {}, { ...game, number: -1 }, { ...game, number: 1.5 }, { ...game, number: 9 }, { ...game, number: "1" }, { ...game, given: "x" },
    { ...game, given: [RIGHT, { choice: 4 }] }, { ...game, given: [RIGHT, { choice: 0, right: 1 }] }, { ...game, given: [RIGHT, 5] },
    { ...game, given: Array(9).fill(RIGHT) },
  ];
  for (const vain of wrong) assert.equal(gamesIn(JSON.stringify({ vain })).size, 0, JSON.stringify(vain));
});

test("the browser keeps the last twenty quizzes that were begun, and none without an answer", () => {
  const kept = new Map();
  globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) };
  for (let seed = 100; seed < 130; seed += 1) Object.assign(begun({ seed, level: "easy" }), { given: [RIGHT] });
  begun({ seed: 130, level: "easy" });
  keepGames();
  const names = [...gamesIn([...kept.values()][0]).keys()];
  assert.deepEqual([names.length, names[0], names.at(-1)], [20, "110 easy", "129 easy"]);
  const [key] = kept.keys();
  kept.set(key, JSON.stringify({ "5 hard": { number: 0, given: [WRONG] }, "129 easy": EMPTY }));
  for (let seed = 100; seed < 129; seed += 1) begun({ seed, level: "easy" });
  keepGames();
  assert.deepEqual([...gamesIn(kept.get(key)).keys()], ["5 hard", "129 easy"], "another tab has begun quiz 5");
  delete globalThis.localStorage;
});

test("a browser that stores nothing plays all the same", () => {
  Object.defineProperty(globalThis, "localStorage", { configurable: true, get: () => { throw new Error("forbidden"); } });
  keepGames();
  assert.deepEqual(gameOf({ seed: 999, level: "hard" }), EMPTY);
  delete globalThis.localStorage;
});

test("a seed is short, and never that of the quiz before", () => {
  assert.equal(newSeed(undefined, () => 0), 0);
  assert.equal(newSeed(undefined, () => 0.99999), 9999);
  assert.equal(newSeed(5, () => 0.0005), 6);
  assert.equal(newSeed(9999, () => 0.99999), 0);
});

test("a number that was typed has one to six digits", () => {
  assert.equal(typedSeed(" 4711 "), 4711);
  assert.equal(typedSeed("0"), 0);
  assert.equal(typedSeed("007"), 7);
  for (const vain of ["", " ", "-1", "1.5", "1e3", "1234567", "x", "\uff14"]) assert.equal(typedSeed(vain), null, vain);
});
