import assert from "node:assert/strict";
import { test } from "node:test";

import { Sender } from "../../../../../viz/ui/browser/class_line/sender.js";

const turn = () => new Promise((go) => { setImmediate(go); });

/** A server that answers when a test says so. */
function server() {
  const said = [];
  const answers = [];
  const sender = new Sender((value) => {
    said.push(value);
    return new Promise((answer) => { answers.push(answer); });
  }, () => Promise.resolve());
  const answer = async (heard) => { answers.shift()(heard); await turn(); };
  return { said, sender, answer };
}

test("what comes while something is on its way waits, and only the last of it is said", async () => {
  const { said, sender, answer } = server();
  for (const value of [1, 2, 3, 4]) sender.send(value);
  assert.deepEqual(said, [1]);
  await answer(true);
  assert.deepEqual(said, [1, 4]);
  await answer(true);
  assert.deepEqual(said, [1, 4]);
});

test("what was not heard is said again, unless something newer is", async () => {
  const { said, sender, answer } = server();
  sender.send(1);
  await answer(false);
  assert.deepEqual(said, [1, 1]);
  sender.send(2);
  await answer(false);
  assert.deepEqual(said, [1, 1, 2]);
});

test("what is dropped is never said", async () => {
  const { said, sender, answer } = server();
  sender.send(1);
  sender.send(2);
  sender.drop();
  await answer(true);
  assert.deepEqual(said, [1]);
  sender.send(null);
  await turn();
  assert.deepEqual(said, [1, null]);
});
