import assert from "node:assert/strict";
import { test } from "node:test";

import { FIRST } from "../../../../../viz/ui/browser/look/fields.js";
import { createStore } from "../../../../../viz/ui/browser/look/store.js";
import { unfoldedByLook } from "../../../../../viz/ui/browser/page/reveal.js";

/** A section whose browser tells of what was unfolded when it comes to it, as a busy one does. */
class Details extends EventTarget {
  open = false;
  tell() { this.dispatchEvent(new Event("toggle")); }
}

test("what a visitor unfolds stays so, whatever they choose before the browser tells of it", () => {
  const store = createStore(FIRST), details = new Details();
  unfoldedByLook(details, "optimised", store, false);
  details.open = true;
  store.dispatch({ type: "channel", channel: 3 });
  assert.equal(details.open, true);
  details.tell();
  assert.equal(store.get().optimised, "open");
});

test("the look unfolds a section and folds it, until the section ends", () => {
  const store = createStore(FIRST), details = new Details();
  const end = unfoldedByLook(details, "optimised", store, false);
  store.dispatch({ type: "optimised", optimised: "open" });
  assert.equal(details.open, true);
  store.dispatch({ type: "optimised", optimised: "auto" });
  assert.equal(details.open, false);
  end();
  store.dispatch({ type: "optimised", optimised: "open" });
  assert.equal(details.open, false);
});
