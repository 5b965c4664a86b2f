// The store of the look. Everything on screen follows it, and every choice of the visitor is dispatched here.

import { begin, go, lastSeen, redo, replaced, undo } from "./history.js";
import { asUnfolded, step, withShown } from "./look.js";

/** @typedef {import("./look.js").Look} Look */
/** @typedef {import("./look.js").Action} Action */
/** @typedef {(look: Look, before: Look, chosen: boolean) => void} Listener - `chosen` by the visitor, or settled */

/**
 * @typedef {Object} Store
 * @property {() => Look} get
 * @property {(action: Action) => void} dispatch
 * @property {(action: Action) => void} move - like dispatch, for steps on the way: undo goes back to before the first
 * @property {(action: Action) => void} settle - like dispatch, for what the page decides by itself: it is not undone
 * @property {(shown: ?import("./look.js").ShownChannel) => void} shows - hears which channel is on screen
 * @property {() => void} fix - settle on that channel: from now on, something depends on it
 * @property {(listener: Listener) => () => void} subscribe - what it returns ends it
 * @property {(model: string) => void} at - the layers are this model's: what was chosen in another's does not come back
 * @property {(look: Look) => boolean} isOthers - whether a look is one at another model, which an undo brought back
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} join - what was looked at before is not undone until `leave`, which has the look before it too
 * @property {() => void} leave
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
  /** @type {?(readonly Look[])} */
  let own = null;
  let model = "";
  /** @type {WeakMap<Look, string>} */
  const models = new WeakMap(); // of the looks from before the model changed
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
    const next = step(history.now, action.type === "layer" ? { ...action, seen: seen(action) } : action);
    return action.type === "link" ? next : withShown(history.now, next, shown);
  }

  // The look at a layer when the visitor was there last, whose channel comes back.
  /** @type {(stop: {layer: string, call?: number}) => Look | undefined} */
  function seen({ layer, call = 0 }) {
    return lastSeen(history, { layer, call }, isOthers);
  }

  /** @type {(look: Look) => boolean} */
  function isOthers(look) {
    return (models.get(look) ?? model) !== model;
  }

  // The look that undo or redo brings, with the sections unfolded as they are: nobody wants to undo that alone.
  /** @type {(next: import("./history.js").History) => import("./history.js").History} */
  function unfoldedAsNow(next) {
    const now = asUnfolded(next.now, history.now), owner = models.get(next.now);
    if (owner !== undefined) models.set(now, owner);
    return replaced(next, now);
  }

  // Looks from before a class come back after it, maybe to another model.
  /** @param {string} next */
  function at(next) {
    if (next === model) return;
    const looks = [...own ?? [], ...history.past, history.now, ...history.future];
    for (const look of looks) if (!models.has(look)) models.set(look, model);
    model = next;
  }

  /** @type {(action: Action) => void} */
  function settle(action) {
    turn(replaced(history, step(history.now, action)), false);
  }

  return {
    get: () => history.now,
    dispatch: (action) => turn(go(history, after(action))),
    move: (action) => turn(replaced(history, after(action))),
    settle,
    shows: (channel) => { shown = channel; },
    fix: () => { if (shown?.layer === history.now.layer) settle({ type: "channel", channel: shown.channel }); },
    at,
    isOthers,
    undo: () => turn(unfoldedAsNow(undo(history))),
    redo: () => turn(unfoldedAsNow(redo(history))),
    join() {
      own ??= [...history.past, history.now];
      history = begin(history.now);
    },
    leave() {
      if (own) history = begin(history.now, own);
      own = null;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => { listeners.delete(listener); };
    },
  };
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
