import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

globalThis.window ??= new EventTarget();
const { NumberSection } = await import("../../../../../viz/ui/browser/number/number.js");

test("a number comes by itself once the line is back, and is asked for no more once it is closed", async () => {
  const drawn = [];
  const section = Object.assign(Object.create(NumberSection.prototype), {
    asked: "cell.json", at: { y: 0, x: 0 }, words: { lost: "lost" }, draw: (found) => drawn.push(found),
    root: { hidden: true, firstChild: {}, setAttribute: () => {}, removeAttribute: () => {} },
  });
  const answers = [() => { throw new TypeError("Failed to fetch"); }, () => new Response('{"error": "full"}', { status: 503 }), () => new Response('{"value": 1}')];
  let asked = 0;
  globalThis.fetch = async () => answers[Math.min((asked += 1) - 1, 2)]();
  await section.ask();
  for (let tries = 0; tries < 100 && drawn.length < 2; tries += 1) await pause(50);
  assert.deepEqual(drawn, [{ error: "lost" }, { value: 1 }]);
  asked = 0;
  const last = section.ask();
  section.asked = null;
  await last;
  assert.equal(drawn.length, 2);
});
