// The classes of the subject's model.

import { addressOf } from "../maps/addresses.js";
import { Pages } from "../maps/pages.js";
import { answerOf } from "../page/asking.js";

/** Refusals are not kept, and of subjects only the last ones. @type {Pages<ClassesFacts>} */
const classes = new Pages(async ({ subject }) => (await answerOf(addressOf(subject, "classes.json"), () => true)) ?? { classes: [], best: "", problem: "" });

// The classes of the subject's model, and the most probable one of its picture; none if its output names no classes, or
// if the server says why not.
/** @type {(page: StagePage) => Promise<ClassesFacts>} */
export async function classesOf({ data: { subject } }) {
  const found = await classes.open({ subject, query: "" });
  return found.error ? { ...found, classes: [], best: "", problem: "" } : found;
}
