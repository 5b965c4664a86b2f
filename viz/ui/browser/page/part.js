// The start of a part of the page, with the style sheet of all. Streamlit starts the parts one by one.

import { countRuns } from "./runs.js";

/** @type {Promise<unknown> | undefined} */
let sheet;

// A part, once the style sheet decides how much room everything has.
/**
 * @template Part
 * @param {Part} made
 * @param {string} href - the style sheet's address
 */
export async function styled(made, href) {
  countRuns();
  sheet ??= loaded(href);
  await sheet;
  return made;
}

// Without the style sheet the page still works, so its failure is not that of the part.
/** @param {string} href */
function loaded(href) {
  return new Promise((done) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href, onload: done, onerror: done });
    document.head.append(link);
  });
}
