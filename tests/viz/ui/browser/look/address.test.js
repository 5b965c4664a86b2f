import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { keepAddress, namesIn, nameSubject, queryWith } from "../../../../../viz/ui/browser/look/address.js";
import { FIRST } from "../../../../../viz/ui/browser/look/fields.js";
import { lookFromQuery, lookToQuery } from "../../../../../viz/ui/browser/look/look.js";
import { createStore } from "../../../../../viz/ui/browser/look/store.js";
import { forAll, madeUpLook } from "./made_up.js";

const REST_MS = 200;
const rest = () => mock.timers.tick(REST_MS);

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

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
  const kept = keepAddress(store, (look) => store.dispatch({ type: "link", look }), browser);
  const searches = () => browser.entries.map(({ address }) => new URL(address).search);
  return { browser, store, searches, ...kept, search: () => browser.location.search };
}

test("a choice is written once the visitor rests, beside the subject's own names", () => {
  const { browser, store, search } = opened("?model=resnet18&lang=zh");
  store.dispatch({ type: "layer", layer: "layer1.0 › add" });
  assert.equal(search(), "?model=resnet18&lang=zh");
  rest();
  assert.equal(search(), "?model=resnet18&lang=zh&layer=layer1.0+%E2%80%BA+add");
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

test("Back and Forward go through the choices on which the visitor rested", () => {
  const { browser, store, searches } = opened("");
  for (const layer of ["conv1", "conv2", "conv3"]) store.dispatch({ type: "layer", layer });
  rest();
  store.dispatch({ type: "colormap", colormap: "magma" });
  rest();
  assert.deepEqual(searches(), ["", "?layer=conv3", "?layer=conv3&colormap=magma"]);
  browser.walk(-1);
  rest();
  assert.deepEqual(store.get(), { ...FIRST, layer: "conv3" });
  browser.walk(-1);
  browser.walk(2);
  rest();
  assert.equal(store.get().colormap, "magma");
  assert.equal(searches().length, 3);
});

test("a choice after Back ends the entries after it", () => {
  const { browser, store, searches } = opened("");
  store.dispatch({ type: "view", view: "layers" });
  store.dispatch({ type: "view", view: "hooks" });
  browser.walk(-2);
  store.dispatch({ type: "channel", channel: 3 });
  rest();
  assert.deepEqual(searches(), ["", "?channel=3"]);
});

test("what the page settles by itself is written into the entry that is there", () => {
  const { browser, store, searches } = opened("");
  store.settle({ type: "layer", layer: "conv1" });
  rest();
  store.dispatch({ type: "view", view: "layers" });
  store.settle({ type: "layer", layer: "conv2" });
  rest();
  browser.walk(-1);
  store.settle({ type: "layer", layer: "conv3" });
  rest();
  assert.deepEqual(searches(), ["?layer=conv3", "?view=layers&layer=conv2"]);
});

test("back at the first look the query is empty", () => {
  const { store, search, browser } = opened("?layer=fc");
  store.dispatch({ type: "layer", layer: "" });
  rest();
  assert.equal(search(), "");
  assert.equal(browser.location.href, "http://localhost/base/#maps");
});

test("what an entry asks for in vain is taken out", () => {
  const { browser, search } = opened("");
  browser.history.pushState(null, "", "?call=abc&layer=fc&model=lenet");
  browser.walk(0);
  rest();
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

test("many choices in a row are written once, and at once by who asks for it or leaves", () => {
  const { browser, store, search, write } = opened("");
  const written = mock.method(browser.history, "pushState");
  for (let channel = 0; channel < 50; channel += 1) {
    store.dispatch({ type: "channel", channel });
    mock.timers.tick(REST_MS / 4);
  }
  rest();
  assert.equal(search(), "?channel=49");
  assert.equal(written.mock.callCount(), 1);
  store.dispatch({ type: "channel", channel: 1 });
  write();
  assert.equal(search(), "?channel=1");
  store.dispatch({ type: "channel", channel: 2 });
  browser.dispatchEvent(new Event("pagehide"));
  assert.equal(search(), "?channel=2");
});

test("a view that is left keeps what was last on screen in it", () => {
  const { browser, store } = opened("?lang=zh");
  store.dispatch({ type: "layer", layer: "fc" });
  store.dispatch({ type: "view", view: "layers" });
  assert.deepEqual(browser.entries.map(({ address }) => new URL(address).search), ["?lang=zh&layer=fc", "?lang=zh&view=layers&layer=fc"]);
  browser.walk(-1);
  assert.deepEqual(store.get(), { ...FIRST, layer: "fc" });
});

test("another subject that was chosen is an entry of its own, the first one and the same one are not", () => {
  const { browser, search } = opened("?layer=fc");
  nameSubject({ model: "lenet" }, true, browser);
  nameSubject({ model: "lenet" }, true, browser);
  assert.equal(search(), "?model=lenet&layer=fc");
  assert.equal(browser.entries.length, 1);
  nameSubject({ model: "resnet18", sample: "a b" }, true, browser);
  assert.equal(search(), "?model=resnet18&sample=a+b&layer=fc");
  nameSubject({ model: "lenet" }, false, browser);
  assert.equal(search(), "?model=lenet&layer=fc");
  assert.equal(browser.entries.length, 2);
});

test("a query's names are told apart", () => {
  assert.deepEqual(namesIn("?model=lenet&layer=fc&lang=zh&with_model=a"), { look: ["layer", "with_model"], others: { model: "lenet", lang: "zh" } });
});

test("once it has ended, nothing is written or read", () => {
  const { browser, store, end, search } = opened("?layer=fc");
  store.dispatch({ type: "channel", channel: 3 });
  end();
  store.dispatch({ type: "view", view: "quiz" });
  rest();
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
