// Which subject the page is at, by what Python sends and what the visitor chooses.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const location = { pathname: "/", search: "", hash: "" };
const history = { state: null, entries: 0 };
history.replaceState = (state, _, address) => { location.search = address.slice(1); };
history.pushState = (...given) => {
  history.entries += 1;
  history.replaceState(...given);
};
globalThis.window = Object.assign(new EventTarget(), { location, history });
globalThis.document = { documentElement: {} };
globalThis.fetch = async () => new Response("{}");
const { keepAddress } = await import("../../../../../viz/ui/browser/look/address.js");
const { Page } = await import("../../../../../viz/ui/browser/stage/page.js");

/** What Python sends of a picture. */
function facts(sample, more = {}) {
  const address = { model: "lenet", weights: "pretrained", sample };
  return { subject: `of ${sample}`, model: "lenet", address, notices: [], words: { language_code: "en" }, rows: [{ name: "conv1", calls: 1 }], first: "conv1", ...more };
}

let page, asked;
const ask = (names) => asked.push(names.sample);
const take = (sample, more) => page.take(facts(sample, more), ask);
const goTo = (sample) => {
  location.search = `?${new URLSearchParams(facts(sample).address)}`;
  page.returned(page.store.get());
};
const named = () => new URLSearchParams(location.search).get("sample");

beforeEach(async () => {
  [page, asked] = [new Page(), []];
  Object.assign(page, { sent: facts("cat"), own: facts("cat") });
  Object.assign(page, { asked: page.sent.address, address: keepAddress(page.store, () => {}) });
  page.address.end();
  location.search = `?${new URLSearchParams(page.asked)}`;
  await take("cat");
  history.entries = 0;
});

test("who goes back twice stays at the second address, whatever Python sends before", async () => {
  goTo("coffee");
  goTo("rocket");
  await take("coffee");
  assert.equal(named(), "rocket");
  await take("rocket");
  assert.equal(named(), "rocket");
  await take("brick");
  assert.deepEqual([named(), history.entries, asked], ["brick", 1, ["coffee", "rocket"]]);
});

test("a run of the page for another reason takes nobody away from where they went back to", async () => {
  goTo("coffee");
  await take("cat");
  assert.equal(named(), "coffee");
  await take("coffee");
  assert.deepEqual([named(), page.returning], ["coffee", null]);
});

test("the address follows Python where it has not what was gone back to", async () => {
  goTo("coffee");
  await take("cat", { notices: [{ text: "no coffee", document: "address#the-subject" }] });
  assert.equal(named(), "cat");
  goTo("coffee");
  await take("brick");
  assert.deepEqual([named(), page.returning], ["brick", null]);
});

test("a folder's picture is taken back only while nothing else was chosen since", async () => {
  page.lookAt("folder:brick");
  assert.equal(page.isWhereItCameTo(), true, "it is on its way");
  await take("folder:brick");
  assert.equal(page.isWhereItCameTo(), true);
  await take("own");
  assert.deepEqual([page.isWhereItCameTo(), page.cameFrom], [false, null]);
  assert.equal(page.undoSubject(), false);
});

test("a folder's picture is taken back once, and not after Back", async () => {
  page.lookAt("folder:brick");
  await take("folder:brick");
  assert.equal(page.undoSubject(), true);
  assert.equal(page.undoSubject(), false);
  await take("cat");
  page.lookAt("folder:brick");
  await take("folder:brick");
  goTo("cat");
  await take("cat");
  assert.equal(page.cameFrom, null);
  assert.deepEqual(asked, ["folder:brick", "cat", "folder:brick", "cat"]);
});
