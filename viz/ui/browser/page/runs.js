// Count of the page script's runs, as `data-script-runs` of the document. Looking around must not change it.

const STATE = "data-test-script-state";

// Streamlit says on its outermost element when a run begins.
function appOf() {
  return document.querySelector("[data-testid=stApp]");
}

/** Check whether the page's script runs. */
export function isRunning() {
  return appOf()?.getAttribute(STATE) === "running";
}

export function countRuns() {
  const { dataset } = document.documentElement;
  if (dataset.scriptRuns) return;
  dataset.scriptRuns = "1"; // the run that brought this code
  const app = appOf();
  if (!app) return;
  let state = app.getAttribute(STATE);
  new MutationObserver(() => {
    const now = app.getAttribute(STATE);
    if (now === "running" && state !== "running") dataset.scriptRuns = String(Number(dataset.scriptRuns) + 1);
    state = now;
  }).observe(app, { attributes: true, attributeFilter: [STATE] });
}
