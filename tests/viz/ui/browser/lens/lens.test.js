import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { body: {}, querySelector: () => null };
globalThis.getComputedStyle = () => ({ color: "rgb(0, 0, 0)" });
const { FIRST } = await import("../../../../../viz/ui/browser/look/fields.js");
const { Lens } = await import("../../../../../viz/ui/browser/lens/lens.js");

test("the table follows a channel that was chosen elsewhere, and is not drawn again for its own", () => {
  const drawn = [];
  const lens = Object.assign(Object.create(Lens.prototype), {
    page: { data: { subject: "x", words: { language_code: "en" } } }, look: FIRST, about: "x en", shade: "", found: {},
    heat: { channel: 2 }, showLayer: () => {}, drawLayer() { drawn.push(this.look.channel); },
  });
  for (const channel of [2, 2, 5, null]) lens.show({ ...FIRST, channel });
  assert.deepEqual(drawn, [5, null]);
});
