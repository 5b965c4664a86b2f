// Asking the server: what is asked again, and what is an answer. The server here is a real one, of Node.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";

globalThis.window ??= Object.assign(new EventTarget());
const { answerOf, newestOnly } = await import("../../../../../viz/ui/browser/page/asking.js");

let answers = [];
let asked = 0;
const server = createServer((_, response) => {
  const [status, body] = answers[Math.min(asked, answers.length - 1)];
  asked += 1;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(body);
});
let address = "";

before(() => new Promise((go) => {
  server.listen(0, "127.0.0.1", () => {
    address = `http://127.0.0.1:${server.address().port}/`;
    go();
  });
}));
after(() => server.close());

const said = async (...told) => {
  [answers, asked] = [told, 0];
  return answerOf(address, () => true);
};

test("a bug's sentence is an answer: asking again would fail again", async () => {
  assert.deepEqual(await said([500, '{"error": "bug 7f3a"}']), { error: "bug 7f3a" });
  assert.equal(asked, 1);
});

test("a server that is busy, or a proxy that finds none, is asked again", async () => {
  assert.deepEqual(await said([503, '{"error": "full"}'], [502, "<html>"], [200, '{"a": 1}']), { a: 1 });
  assert.equal(asked, 3);
});

test("what a newer question overtook is asked again, and a refusal is not", async () => {
  assert.deepEqual(await said([409, '{"superseded": true, "error": ""}'], [422, '{"error": "no"}']), { error: "no" });
  assert.equal(asked, 2);
});

test("nobody who does not want to know gets anything", async () => {
  [answers, asked] = [[[503, "{}"]], 0];
  let wanted = 2;
  assert.equal(await answerOf(address, () => (wanted -= 1) > 0), null);
});

test("of questions whose answers replace each other, only the newest counts", () => {
  const newest = newestOnly(), another = newestOnly();
  const [first, second] = [newest(), newest()];
  another();
  assert.deepEqual([first(), second()], [false, true]);
});
