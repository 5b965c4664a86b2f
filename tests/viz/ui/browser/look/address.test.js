import assert from "node:assert/strict";
import { test } from "node:test";

import { keepAddress, queryWith } from "../../../../../viz/ui/browser/look/address.js";
import { FIRST, lookFromQuery, lookToQuery } from "../../../../../viz/ui/browser/look/look.js";
import { createStore } from "../../../../../viz/ui/browser/look/store.js";
import { forAll, madeUpLook } from "./made_up.js";

/** As much of a browser as an address needs: entries of its history, and Back and Forward. */
class Browser extends EventTarget {
  constructor(address) {
    super();
    this.entries = [{ address, state: { of: "Streamlit" } }];
    this.at = 0;
    this.history = {
      pushState: (state, _, to) => {
        this.entries.splice(this.at + 1, Infinity, { address: new URL(to, this.location.href).href, state });
        this.at += 1;
      },
      replaceState: (state, _, to) => { this.entries[this.at] = { address: new URL(to, this.location.href).href, state }; },
    };
    Object.defineProperty(this.history, "state", { get: () => this.entries[this.at].state });
  }

  get location() {
    return new URL(this.entries[this.at].address);
  }

  walk(by) {
    this.at += by;
    this.dispatchEvent(new Event("popstate"));
  }
}

function opened(query) {
  const browser = new Browser(`http://localhost/base/${query}#maps`);
  const store = createStore(lookFromQuery(browser.location.search).look);
  const vain = [];
  const end = keepAddress(store, (found) => vain.push(...found), browser);
  return { browser, store, vain, end, search: () => browser.location.search };
}

test("a choice is written in place, beside the subject's own names", () => {
  const { browser, store, search } = opened("?model=resnet18&lang=zh");
  store.dispatch({ type: "layer", layer: "layer1.0 › add" });
  assert.equal(search(), "?model=resnet18&lang=zh&layer=layer1.0+%E2%80%BA+add");
  assert.equal(browser.entries.length, 1);
  assert.equal(browser.location.pathname, "/base/");
  assert.equal(browser.location.hash, "#maps");
  assert.deepEqual(browser.history.state, { of: "Streamlit" });
});

test("Back and Forward go through the views", () => {
  const { browser, store } = opened("");
  store.dispatch({ type: "view", view: "layers" });
  store.dispatch({ type: "layer", layer: "fc" });
  store.dispatch({ type: "view", view: "hooks" });
  assert.equal(browser.entries.length, 3);
  browser.walk(-1);
  assert.deepEqual(store.get(), { ...FIRST, view: "layers", layer: "fc" });
  browser.walk(-1);
  assert.deepEqual(store.get(), FIRST);
  browser.walk(2);
  assert.equal(store.get().view, "hooks");
  assert.equal(browser.entries.length, 3);
});

test("a choice after Back is written in that entry, and a view ends those after it", () => {
  const { browser, store, search } = opened("");
  store.dispatch({ type: "view", view: "layers" });
  browser.walk(-1);
  store.dispatch({ type: "channel", channel: 3 });
  assert.equal(search(), "?channel=3");
  assert.equal(browser.entries.length, 2);
  store.dispatch({ type: "view", view: "quiz" });
  assert.deepEqual(browser.entries.map(({ address }) => new URL(address).search), ["?channel=3", "?view=quiz&channel=3"]);
});

test("back at the first look the query is empty", () => {
  const { store, search, browser } = opened("?layer=fc");
  store.dispatch({ type: "layer", layer: "" });
  assert.equal(search(), "");
  assert.equal(browser.location.href, "http://localhost/base/#maps");
});

test("what an entry asks for in vain is told and taken out", () => {
  const { browser, vain, search } = opened("");
  browser.history.pushState(null, "", "?call=abc&layer=fc&model=lenet");
  browser.walk(0);
  assert.deepEqual(vain, [{ name: "call", value: "abc" }]);
  assert.equal(search(), "?model=lenet&layer=fc");
});

test("undo goes through views as choices do", () => {
  const { browser, store, search } = opened("");
  store.dispatch({ type: "view", view: "layers" });
  store.undo();
  assert.equal(search(), "");
  browser.walk(-1);
  assert.equal(browser.entries.length, 3);
  assert.equal(store.get().view, "layers");
});

test("once it has ended, nothing is written or read", () => {
  const { browser, store, end, search } = opened("?layer=fc");
  end();
  store.dispatch({ type: "view", view: "quiz" });
  assert.equal(search(), "?layer=fc");
  browser.walk(0);
  assert.equal(store.get().view, "quiz");
});

test("the subject's names stay as they were written, in front of the look", () => {
  forAll(500, madeUpLook, (look) => {
    const query = queryWith("?layer=x&model=timm%2Fa&m%6Fdel=b&weights=random&%6Cayer=y&&sample", look);
    const text = lookToQuery(look);
    assert.equal(query, `?model=timm%2Fa&m%6Fdel=b&weights=random&sample${text && `&${text}`}`);
    assert.deepEqual(lookFromQuery(query).look, look);
  });
});
