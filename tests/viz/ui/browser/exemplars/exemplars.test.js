import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

globalThis.window ??= new EventTarget();
const { newestOnly } = await import("../../../../../viz/ui/browser/page/asking.js");
const { ExemplarsSection } = await import("../../../../../viz/ui/browser/exemplars/exemplars.js");

const { fetch } = globalThis;
afterEach(() => { globalThis.fetch = fetch; });

/** A section beside a channel, and what it hears of the folders. */
function section() {
  const heard = [];
  const made = Object.assign(Object.create(ExemplarsSection.prototype), {
    about: { subject: "x" }, folders: null, closed: false, newest: newestOnly(),
    stage: { data: { words: { language_code: "en" } }, store: { get: () => ({ pictures: "" }) } },
    hear: (folders) => heard.push(folders),
  });
  return { made, heard };
}

test("a pass that is asked for while the line is away begins once it is back", async () => {
  const { made, heard } = section();
  let tries = 0;
  globalThis.fetch = async () => {
    tries += 1;
    if (tries === 1) throw new TypeError("Failed to fetch");
    return new Response('{"folders": []}');
  };
  await made.act("start", "samples");
  assert.deepEqual(heard, [{ folders: [] }]);
});

test("a section that is unfolded again asks how far a pass is that was running", async () => {
  const { made, heard } = section();
  const now = (state) => ({ folders: [{ state }] });
  globalThis.fetch = async () => new Response(JSON.stringify(now("done")));
  Object.assign(made, { root: { open: true }, draw: () => {}, folders: now("running") });
  await made.show();
  assert.deepEqual(heard, [now("done")]);
  Object.assign(made, { folders: now("done") });
  await made.show();
  assert.equal(heard.length, 1);
});

test("an answer about a pass that comes after the one to its end does not bring it back", async () => {
  const { made, heard } = section();
  made.root = { open: true };
  /** @type {(answer: Response) => void} */
  let late = () => {};
  globalThis.fetch = (address) => (address.includes("folders.json") ? new Promise((go) => { late = go; }) : Promise.resolve(new Response('{"folders": []}')));
  const polled = made.poll();
  await made.act("stop");
  late(new Response('{"folders": [{"state": "running"}]}'));
  await polled;
  assert.deepEqual(heard.filter(Boolean), [{ folders: [] }]);
});
