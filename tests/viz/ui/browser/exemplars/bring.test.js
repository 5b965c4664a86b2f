// Sending a picture to a real server, of Node, behind a line that fails.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";

globalThis.window ??= new EventTarget();
const { Bring } = await import("../../../../../viz/ui/browser/exemplars/bring.js");

const WORDS = { exemplars_wrong_damaged: "damaged", exemplars_wrong_busy: "busy" };
let answers = [];
let sent = [];
const server = createServer((request, response) => {
  const [status, body] = answers[Math.min(sent.length, answers.length - 1)];
  sent.push(request.url);
  if (!status) return void request.socket.destroy();
  response.writeHead(status);
  response.end(body);
});
const { fetch } = globalThis;

before(() => new Promise((go) => {
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    globalThis.fetch = (address, options) => fetch(`http://127.0.0.1:${port}/${address}`, options);
    go();
  });
}));
after(() => {
  globalThis.fetch = fetch;
  server.close();
});

/** What comes of a picture that is sent, and what is noted against it. */
async function send(read, ...told) {
  [answers, sent] = [told, []];
  const bring = Object.assign(Object.create(Bring.prototype), { stage: { data: { subject: "x", words: WORDS } }, leftOut: [] });
  const found = await bring.answered("pictures.add", "a.png", "a.png", read);
  return [found, ...bring.leftOut.map(({ reason }) => reason)];
}
const picture = async () => new Blob(["a"]);

test("a picture is sent again after a lost line, a proxy without a server and a busy server", async () => {
  assert.deepEqual(await send(picture, [0], [502, "<html>"], [429, "{}"], [200, '{"count": 1}']), [{ count: 1 }]);
  assert.equal(sent.length, 4);
});

test("a refusal, or a bug's sentence, is an answer", async () => {
  assert.deepEqual(await send(picture, [422, '{"error": "no"}']), [{ error: "no" }]);
  assert.deepEqual(await send(picture, [500, '{"error": "bug"}']), [{ error: "bug" }]);
  assert.equal(sent.length, 1);
});

test("only a file that cannot be read is called damaged, and is not sent", async () => {
  assert.deepEqual(await send(() => Promise.reject(new Error("no image")), [200, "{}"]), [null, "damaged"]);
  assert.deepEqual(sent, []);
});
