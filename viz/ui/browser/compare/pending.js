// The notice in place of both sides while one is missing: costs, a download.

import { filled } from "../maps/mosaic.js";
import { refusal } from "../maps/said.js";
import { Costs } from "../stage/costs.js";

/** @typedef {import("../stage/costs.js").Question} Question */
/** @typedef {Partial<OtherFacts> & {question?: Question}} Pending */

// Costs of the other side; consent is that of the whole page, and each offer changes this side alone.
/** @type {(page: StagePage, found: Pick<OtherFacts, "model" | "rows" | "all">) => Costs} */
export function besideCosts(page, found) {
  const { model, rows = [], all = 0 } = found;
  const store = { dispatch: (/** @type {Action} */ action) => page.store.dispatch(action.type === "layer" ? besideAction(action) : action) };
  const costs = new Costs({
    rows,
    store,
    data: { ...page.data, model, costs: { ...page.data.costs, all } },
    rowOf: (layer) => rows.find(({ name }) => name === layer),
    tell: () => page.tell(),
  });
  if (page.costs) costs.agreed = page.costs.agreed;
  return costs;
}

/** @type {(action: {layer: string}) => Action} */
function besideAction({ layer }) {
  return { type: "other", other: { with_layer: layer, with_call: "" } };
}

// `found` has one of `question`, `ask`, `loading` and `error`.
/** @type {(comparison: import("./compare.js").Compare, found: Pending) => void} */
export function drawPending(comparison, found) {
  const { parts, words, stage } = comparison;
  const about = JSON.stringify([found.question?.about, found.ask, found.error, found.loading]);
  if (comparison.pending === about && parts.body.hidden) return; // its buttons keep the focus
  comparison.drawProblem(found.loading ? [downloading(found.loading, words)] : refusal(found, words));
  if (found.loading) parts.root.setAttribute("aria-busy", "true");
  const asking = questionIn(found, stage);
  if (asking) parts.asking.replaceChildren(asking);
  comparison.pending = about;
}

/** @type {(found: Pending, page: StagePage) => ?HTMLElement} */
function questionIn({ question, ask, may, instead, model = "" }, page) {
  if (question) return question.draw();
  return ask ? besideCosts(page, { model }).draw("load", ask, instead, !may) : null;
}

/** @type {(loading: LoadingProgress, words: Words) => string} */
export function downloading({ model, done, total }, words) {
  return filled(words.downloading, { model, done: done >> 20, total: total >> 20 || "?" });
}

