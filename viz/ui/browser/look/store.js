// The store of the look. Everything on screen follows it, and every choice of the visitor is dispatched here.

import { begin, go, lastSeen, redo, replaced, undo } from "./history.js";
import { step, withShown } from "./look.js";

/** @typedef {import("./look.js").Look} Look */
/** @typedef {import("./look.js").Action} Action */
/** @typedef {(look: Look, before: Look, chosen: boolean) => void} Listener - `chosen` by the visitor, or settled */

/**
 * @typedef {Object} Store
 * @property {() => Look} get
 * @property {(action: Action) => void} dispatch
 * @property {(action: Action) => void} settle - like dispatch, for what the page decides by itself: it is not undone
 * @property {(shown: ?import("./look.js").ShownChannel) => void} shows - hears which channel is on screen
 * @property {() => void} fix - settle on that channel: from now on, something depends on it
 * @property {(listener: Listener) => () => void} subscribe - what it returns ends it
 * @property {() => void} undo
 * @property {() => void} redo
 */

/**
 * A store with a look. Its listeners hear of each change in the same order, with the look that they heard of before; if
 * one of them dispatches, all hear of that next.
 * @param {Look} initial
 * @returns {Store}
 */
export function createStore(initial) {
  /** @type {Set<Listener>} */
  const listeners = new Set();
  let history = begin(initial);
  let told = initial;
  let telling = false;
  let chosen = false;
  /** @type {?import("./look.js").ShownChannel} */
  let shown = null;

  /** @type {(next: import("./history.js").History, visitor?: boolean) => void} */
  function turn(next, visitor = true) {
    if (next === history) return;
    chosen ||= visitor;
    history = next;
    if (telling) return;
    telling = true;
    /** @type {unknown[]} */
    const failures = [];
    while (told !== history.now) {
      const [before, byVisitor] = [told, chosen];
      told = history.now;
      chosen = false;
      for (const listener of listeners) attempt(() => listener(told, before, byVisitor), failures);
    }
    telling = false;
    if (failures.length) throw failures[0];
  }

  // A link says by itself which channel is meant.
  /** @type {(action: Action) => Look} */
  function after(action) {
    const next = step(history.now, remembered(history, action));
    return action.type === "link" ? next : withShown(history.now, next, shown);
  }

  /** @type {(action: Action) => void} */
  function settle(action) {
    turn(replaced(history, step(history.now, action)), false);
  }

  return {
    get: () => history.now,
    dispatch: (action) => turn(go(history, after(action))),
    settle,
    shows: (channel) => { shown = channel; },
    fix: () => { if (shown?.layer === history.now.layer) settle({ type: "channel", channel: shown.channel }); },
    undo: () => turn(undo(history)),
    redo: () => turn(redo(history)),
    subscribe(listener) {
      listeners.add(listener);
      return () => { listeners.delete(listener); };
    },
  };
}

// Bring back the channel that was chosen in a layer when the visitor returns to it.
/** @type {(history: import("./history.js").History, action: Action) => Action} */
function remembered(history, action) {
  if (action.type !== "layer") return action;
  const { layer, call = 0 } = action;
  return { ...action, seen: lastSeen(history, { layer, call }) };
}

// One part that fails must not keep the others at an older look.
/** @type {(work: () => void, failures: unknown[]) => void} */
function attempt(work, failures) {
  try {
    work();
  } catch (failure) {
    failures.push(failure);
  }
}
