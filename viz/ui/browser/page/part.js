// The parts of the page, which Streamlit starts one by one: each is a module, and all share one style sheet.

import { countRuns } from "./runs.js";

const ROOT = new URL("../", import.meta.url);
/** @type {Promise<unknown> | undefined} */
let styled;

// The default export of a module, once the style sheet decides how much room everything has.
/** @param {string} module - its path below viz/ui/browser */
export async function part(module) {
  countRuns();
  styled ??= loaded(new URL("style.css", ROOT).href);
  const [made] = await Promise.all([import(new URL(module, ROOT).href), styled]);
  return made.default;
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
