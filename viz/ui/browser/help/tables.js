// Tables of the documents: they scroll by themselves, and the rows of a long one can be found by their words.

const LONG = 20; // rows

/** @type {(table: HTMLTableElement) => void} */
export function arrange(table) {
  const box = document.createElement("div");
  box.className = "table";
  box.tabIndex = 0; // whoever has no mouse scrolls it by keys
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "Table");
  table.replaceWith(box);
  box.append(table);
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
  if (rows.length >= LONG) box.before(filterOf(rows));
}

/** @type {(rows: readonly HTMLTableRowElement[]) => HTMLElement} */
function filterOf(rows) {
  const line = document.createElement("p"), input = document.createElement("input"), told = document.createElement("span");
  line.className = "filter";
  input.type = "search";
  input.placeholder = `Find in these ${rows.length} rows`;
  input.setAttribute("aria-label", input.placeholder);
  told.setAttribute("role", "status");
  input.addEventListener("input", () => {
    const shown = rowsWith(input.value, rows.map((row) => row.textContent ?? ""));
    for (const [at, row] of rows.entries()) row.hidden = !shown[at];
    told.textContent = input.value.trim() && `${shown.filter(Boolean).length} of ${rows.length} rows`;
  });
  line.append(input, told);
  return line;
}

/** Check for each text whether it has all words of a question, in any order. @type {(question: string, texts: readonly string[]) => boolean[]} */
export function rowsWith(question, texts) {
  const wanted = question.toLowerCase().split(/\s+/u).filter(Boolean);
  return texts.map((text) => wanted.every((word) => text.toLowerCase().includes(word)));
}
