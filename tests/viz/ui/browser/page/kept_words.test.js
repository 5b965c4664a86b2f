// Words that the browser keeps, taken in the order in which they were sent. The server here is a real one, of Node.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";

globalThis.window ??= Object.assign(new EventTarget());
const { withWords } = await import("../../../../../viz/ui/browser/page/kept_words.js");

const asked = [];
const server = createServer(({ url }, response) => {
  asked.push(url);
  const first = asked.filter((each) => each === url).length === 1;
  const send = () => {
    const status = url.includes("gone") ? 404 : first && url.includes("busy") ? 503 : 200;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ at: url }));
  };
  setTimeout(send, url.includes("slow") ? 200 : 0);
});

before(() => new Promise((go) => {
  server.listen(0, "127.0.0.1", () => {
    globalThis.layerglassRoot = `http://127.0.0.1:${server.address().port}/under/assets/version/`;
    go();
  });
}));
after(() => server.close());

const taken = (sent) => new Promise((go) => { withWords(sent, go); });

test("a file of words is fetched once, from beside the scripts", async () => {
  const one = await taken({ subject: "a", words: { language_code: "en", file: "abc" } });
  assert.deepEqual(one, { subject: "a", words: { at: "/under/assets/words/abc.json" } });
  const other = await taken({ subject: "b", words: { language_code: "en", file: "abc" } });
  assert.equal(other.words, one.words);
  assert.deepEqual(asked, ["/under/assets/words/abc.json"]);
});

test("what was sent later is taken later, however long the words take", async () => {
  const order = [];
  withWords({ subject: "a", words: { file: "slow" } }, ({ subject }) => order.push(subject));
  withWords({ subject: "b", words: { file: "abc" } }, ({ subject }) => order.push(subject));
  await taken({ words: {} });
  assert.deepEqual(order, ["a", "b"]);
});

test("words are asked for again while the server is busy", async () => {
  const { words } = await taken({ words: { file: "busy" } });
  assert.equal(words.at, "/under/assets/words/busy.json");
});

test("a message of a server that has gone with its words is left out, and holds up none", async () => {
  const order = [];
  withWords({ subject: "a", words: { file: "gone" } }, ({ subject }) => order.push(subject));
  withWords({ subject: "b", words: { file: "abc" } }, ({ subject }) => order.push(subject));
  await taken({ words: {} });
  assert.deepEqual(order, ["b"]);
});
