import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";

import { ClassServer, untilHeard } from "../../../../../viz/ui/browser/class_line/server.js";

// A real server at an address of this machine, which answers with the status that a test wants.
let status = 200, body = {};
const asked = [];
const listening = createServer((request, response) => {
  asked.push(request.url);
  if (status === 0) request.socket.destroy();
  else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
});
await new Promise((go) => { listening.listen(0, "127.0.0.1", go); });
after(() => {
  listening.closeAllConnections();
  listening.close();
});

const { fetch: fetching } = globalThis;
globalThis.fetch = (address, options) => fetching(new URL(address, `http://127.0.0.1:${listening.address().port}/`), options);
globalThis.window = new EventTarget();

const WORDS = { language_code: "en", classroom_unreachable: "The server does not answer." };
const server = new ClassServer({ mine: { subject: "mine", words: WORDS }, data: { words: WORDS } });
const told = async (found) => { status = found; return server.tell("class_show.json", { look: "" }); };
const heard = async (found, said = {}) => { [status, body] = [found, said]; return server.heard("class_take.json", { right: "r" }); };

test("a look is said again while the server is not reached, has a bug, is asked too often or is only a proxy", async () => {
  const found = [];
  for (const each of [0, 429, 500, 502, 503, 504]) found.push(await told(each));
  assert.deepEqual(found, [false, false, false, false, false, false]);
});

test("a look that is shown, or refused, is not said again", async () => {
  assert.deepEqual([await told(200), await told(422), await told(410)], [true, true, true]);
});

test("only an answer and a refusal are heard; whatever else comes is no word of the class", async () => {
  assert.deepEqual(await heard(200, { right: "new" }), { right: "new" });
  assert.deepEqual(await heard(422, { error: "This class has ended." }), { error: "This class has ended." });
  for (const each of [0, 403, 404, 429, 500, 502, 503]) assert.equal(await heard(each, { error: "no" }), null);
});

test("a page whose visit has ended asks again, and lets Python make a subject of another visit", async () => {
  const gone = [];
  globalThis.window.addEventListener("layerglass:gone", ({ detail }) => gone.push(new URL(detail).pathname));
  assert.equal(await heard(410, { error: "This picture belongs to a visit that has ended" }), null);
  assert.deepEqual(gone, ["/maps/mine/class_take.json"]);
});

test("what is not heard is asked again after pauses that grow up to a limit", async () => {
  const pauses = [], answers = [null, null, null, null, null, null, "heard", "never asked for"];
  let failures = 0;
  const found = await untilHeard(async () => answers.shift(), {
    wanted: () => true, failed: () => { failures += 1; }, pause: async (milliseconds) => { pauses.push(milliseconds); },
  });
  assert.equal(found, "heard");
  assert.equal(failures, 6);
  assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 8000, 8000]);
});

test("nobody is asked any more once nobody wants to know, and a late answer counts for nothing", async () => {
  let asks = 0, wanted = true;
  const how = { wanted: () => wanted, failed: () => {}, pause: async () => { wanted = asks < 3; } };
  assert.equal(await untilHeard(async () => { asks += 1; return null; }, how), null);
  assert.equal(asks, 3);
  wanted = true;
  assert.equal(await untilHeard(async () => { wanted = false; return "late"; }, how), null);
});
