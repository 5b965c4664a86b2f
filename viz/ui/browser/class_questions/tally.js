// Counts of the answers, as bars with their numbers beside them.

import { element, filled } from "../maps/mosaic.js";

/**
 * @param {{bars: readonly import("../classroom/asking_state.js").Bar[], others: number}} tally
 * @param {Words} words
 */
export function tallyOf({ bars, others }, words) {
  const list = element("ul", "lg-tally");
  list.setAttribute("aria-label", words.asking_tally);
  const most = Math.max(1, others, ...bars.map(({ count }) => count));
  list.append(...bars.map((bar) => row(bar, most, words)));
  if (others) list.append(row({ value: [], label: words.asking_others, count: others, right: false, mine: false }, most, words));
  return list;
}

/** @type {(bar: import("../classroom/asking_state.js").Bar, most: number, words: Words) => HTMLElement} */
function row({ label, count, right, mine }, most, words) {
  const item = element("li", right ? "lg-tally-right" : "");
  const name = element("span", "lg-tally-name");
  if (right) {
    const sign = element("span", "lg-tally-sign", "✓");
    sign.setAttribute("role", "img");
    sign.setAttribute("aria-label", words.asking_is_right);
    name.append(sign);
  }
  name.append(element("span", "", label));
  if (mine) name.append(element("em", "", words.asking_yours));
  const bar = element("span", "lg-tally-bar");
  bar.setAttribute("aria-hidden", "true"); // the number says it
  const filling = element("span");
  filling.style.width = `${(100 * count) / most}%`;
  bar.append(filling);
  const number = element("span", "lg-tally-count", String(count));
  number.setAttribute("aria-label", filled(words.asking_students, { count }));
  number.setAttribute("role", "img");
  item.append(name, bar, number);
  return item;
}
