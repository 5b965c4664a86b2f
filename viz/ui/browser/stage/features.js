// The views. That of a layer comes with the page; the others come in one file with what a class needs, once the page
// stands or when some of it is wanted before.

import { LayerView } from "../layer/viewer.js";
import { untilDone } from "../page/asking.js";

/** @typedef {new (root: HTMLElement, page: StagePage) => Feature} FeatureClass */

/** @type {Readonly<Record<Exclude<Look["view"], "layer">, () => Promise<FeatureClass>>>} */
const LATER = {
  layers: async () => (await import("../layers/overview.js")).Overview,
  gradients: async () => (await import("../gradients/gradients.js")).Gradients,
  hooks: async () => (await import("../hooks/hooks.js")).Timeline,
  compare: async () => (await import("../compare/compare.js")).Compare,
  lens: async () => (await import("../lens/lens.js")).Lens,
  course: async () => (await import("../course/course.js")).Course,
  quiz: async () => (await import("../learning/quiz.js")).Quiz,
  reduced: async () => (await import("../reduced/reduced.js")).ReducedView,
  figure: async () => (await import("../figure/figure.js")).FigureDesk,
  unit: async () => (await import("../unit/unit.js")).UnitView,
};
export const TRY_AGAIN_MS = 2000; // after a line that was gone

/** @type {Map<Look["view"], FeatureClass>} */
const here = new Map([["layer", LayerView]]);

// None as long as it has not been fetched.
/** @type {(view: Look["view"]) => ?FeatureClass} */
export function featureOf(view) {
  return here.get(view) ?? null;
}

// Fetch the missing views.
export async function fetchFeatures() {
  const ways = Object.entries(LATER);
  for (const [view, fetchIt] of /** @type {[Look["view"], () => Promise<FeatureClass>][]} */ (ways)) {
    if (!here.has(view)) here.set(view, await untilDone(fetchIt, TRY_AGAIN_MS));
  }
}
