import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { ASK_AGAIN_MS } from "../../../../../viz/ui/browser/page/asking.js";
import { onceConnected } from "../../../../../viz/ui/browser/page/sending.js";

let state = "CONNECTED";
globalThis.document = { querySelector: () => ({ getAttribute: () => state }) };
after(() => { delete globalThis.document; });

test("what is sent with a connection goes at once", async () => {
  const sent = [], send = onceConnected();
  await send(() => sent.push("a"));
  await send(() => sent.push("b"));
  assert.deepEqual(sent, ["a", "b"]);
});

test("of what is sent without a connection, the newest goes once it is back", async () => {
  const sent = [], send = onceConnected();
  state = "PINGING_SERVER";
  const waiting = ["a", "b"].map((each) => send(() => sent.push(each)));
  await pause(2 * ASK_AGAIN_MS);
  assert.deepEqual(sent, []);
  state = "CONNECTED";
  await Promise.all(waiting);
  assert.deepEqual(sent, ["b"]);
});
