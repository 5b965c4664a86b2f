import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { saveLesson } from "../../../../../viz/ui/browser/plan_shelf/files.js";
import { plainPage } from "../plan_shelf/plain_page.js";

test("a saved file can be read for as long as a browser asks where to put it", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  plainPage();
  const made = globalThis.document.createElement, links = [];
  globalThis.document.createElement = (tag) => {
    links.push(Object.assign(made(tag), { onclick: () => {} }));
    return links.at(-1);
  };
  const revoked = mock.method(URL, "revokeObjectURL");
  saveLesson("# Edges", "Edges");
  const [{ href, download }] = links;
  assert.equal(download, "edges.md");
  mock.timers.tick(20_000);
  assert.equal(revoked.mock.callCount(), 0);
  assert.equal(await (await fetch(href)).text(), "# Edges");
  mock.timers.tick(60_000);
  assert.deepEqual(revoked.mock.calls.map((call) => call.arguments), [[href]]);
});
