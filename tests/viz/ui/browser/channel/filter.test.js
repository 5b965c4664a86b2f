import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

globalThis.window ??= new EventTarget();
globalThis.document = { createElement: () => ({}) };
const { FilterDetails } = await import("../../../../../viz/ui/browser/channel/filter.js");

/** Unfolded details of a channel, and what is drawn in them. */
function details() {
  const drawn = [];
  const made = Object.assign(Object.create(FilterDetails.prototype), {
    root: { open: true, hidden: false }, about: "first", viewed: { page: { subject: "x", query: "layer=conv1" }, channel: 0, words: { lost: "lost" } },
    place: { replaceChildren: ({ textContent }) => drawn.push(textContent) }, draw: (found) => drawn.push(found.png), end: () => {},
  });
  return { made, drawn };
}

/** Until something holds. */
async function until(holds) {
  for (let tries = 0; tries < 100 && !holds(); tries += 1) await pause(50);
}

test("the weights come by themselves once the line is back", async () => {
  const { made, drawn } = details();
  const answers = [() => { throw new TypeError("Failed to fetch"); }, () => new Response("<html>", { status: 502 }), () => new Response('{"png": "weights"}')];
  globalThis.fetch = async () => answers.shift()();
  await made.ask();
  await until(() => drawn.includes("weights"));
  assert.deepEqual(drawn, ["lost", "lost", "weights"]);
});

test("a failure that comes late says nothing about another channel, and nobody asks once all is closed", async () => {
  const { made, drawn } = details();
  let fail;
  globalThis.fetch = () => new Promise((_, failed) => { fail = failed; });
  let asking = made.ask();
  made.about = "second";
  fail(new TypeError("Failed to fetch"));
  await asking;
  asking = made.ask();
  made.close();
  fail(new TypeError("Failed to fetch"));
  await asking;
  assert.deepEqual([drawn, made.waiting], [[], undefined]);
});
