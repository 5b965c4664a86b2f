// The operator's page: the server's state every few seconds, with charts of the last minutes.

import { Chart } from "./chart.js";
import { answerSeries, bytesText, countText, durationText, growth, memorySeries, rateText, secondsText, total } from "./series.js";

/** @typedef {import("./chart.js").Drawn} Drawn */

const EVERY_MS = 3000;
const PATIENCE_MS = 10_000;
const SMOOTHED = 5; // moments behind a rate: a quarter of a minute
const OF_A_MINUTE = 20; // moments
const MOST = 300; // moments, as many as the server keeps

/** @type {Record<string, (moments: readonly Moment[], facts: ServerFacts) => Drawn>} */
const CHARTS = {
  queue: (moments) => ({
    series: [
      { name: "waiting", values: moments.map((each) => each.waiting) },
      { name: "running", values: moments.map((each) => each.running) },
    ],
    text: countText,
    least: 4,
  }),
  waits: (moments) => ({
    series: [
      { name: "median", values: moments.map((each) => each.wait.median) },
      { name: "95th percentile", values: moments.map((each) => each.wait.slow) },
    ],
    text: secondsText,
    least: 1,
    decades: true,
  }),
  answers: (moments) => ({ series: answerSeries(moments, SMOOTHED, "others"), text: rateText, least: 4 }),
  memory: (moments, facts) => ({
    series: memorySeries(moments), text: bytesText, least: 4e8, ceiling: facts.memory_limit, ceilingName: "models may take together",
  }),
  sessions: (moments) => ({
    series: [
      { name: "open", values: moments.map((each) => each.sessions) },
      { name: "visits kept", values: moments.map((each) => each.visits) },
    ],
    text: countText,
    least: 4,
  }),
  trouble: (moments) => ({
    series: [
      { name: "failed", values: growth(moments, (each) => each.outcomes.failed ?? 0, OF_A_MINUTE) },
      { name: "refused", values: growth(moments, (each) => each.outcomes.refused ?? 0, OF_A_MINUTE) },
      { name: "refused at the door", values: growth(moments, (each) => total(each.refusals), OF_A_MINUTE) },
      { name: "restarts", values: growth(moments, (each) => each.restarts, OF_A_MINUTE) },
    ],
    text: countText,
    least: 4,
  }),
};

/** @type {(selector: string) => HTMLElement} */
const found = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

class Operator {
  constructor() {
    /** @type {Moment[]} */
    this.moments = [];
    /** @type {?ServerFacts} */
    this.facts = null;
    /** @type {?number} */
    this.place = null;
    this.minutes = 5;
    this.charts = Object.keys(CHARTS).map((name) => /** @type {const} */ ([name, new Chart(found(`[data-chart=${name}]`), (place) => this.point(place))]));
    for (const button of document.querySelectorAll("[data-minutes]")) {
      button.addEventListener("click", () => this.choose(Number(button.getAttribute("data-minutes"))));
    }
    new ResizeObserver(() => this.draw()).observe(document.body);
    this.choose(this.minutes);
    this.ask();
  }

  async ask() {
    try {
      const after = this.moments[this.moments.length - 1]?.at ?? 0;
      const answer = await fetch(new URL(`./operator.json?after=${after}`, document.baseURI), { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (!answer.ok) throw new Error(String(answer.status));
      this.hear(await answer.json());
    } catch {
      this.state("gone", "no answer from the server");
    }
    setTimeout(() => this.ask(), EVERY_MS);
  }

  /** @param {ServerFacts} facts */
  hear(facts) {
    if (this.facts && this.facts.began !== facts.began) this.moments = []; // the server has been started again
    this.facts = facts;
    this.moments = [...this.moments, ...facts.moments].slice(-MOST);
    this.draw();
    this.tell(facts);
  }

  /** @param {number} minutes */
  choose(minutes) {
    this.minutes = minutes;
    for (const button of document.querySelectorAll("[data-minutes]")) {
      button.setAttribute("aria-pressed", String(Number(button.getAttribute("data-minutes")) === minutes));
    }
    this.draw();
  }

  /** @param {?number} place */
  point(place) {
    this.place = place;
    this.draw();
  }

  draw() {
    const { facts, moments } = this;
    if (!facts || !moments.length) return;
    const end = moments[moments.length - 1].at;
    const first = Math.max(0, moments.findIndex((each) => each.at >= end - this.minutes * 60));
    const times = moments.slice(first).map((each) => each.at);
    for (const [name, chart] of this.charts) {
      // rates look back beyond what is shown
      const drawn = CHARTS[name](moments, facts);
      const series = drawn.series.map((each) => ({ ...each, values: each.values.slice(first) }));
      chart.draw(times, this.minutes * 60, { ...drawn, series }, this.place);
    }
  }

  /** @param {ServerFacts} facts */
  tell(facts) {
    const now = this.moments[this.moments.length - 1];
    if (!now) return;
    const aside = Object.entries(facts.put_aside);
    this.state(...condition(now, facts, aside.length));
    found("#engine").textContent = `${facts.engine}, up ${durationText(now.at - facts.began)}`;
    const memory = total(now.memory);
    const tiles = {
      sessions: [countText(now.sessions), `of ${countText(facts.sessions_limit)} that may be open`],
      waiting: [countText(now.waiting), `${countText(now.running)} being worked on`],
      median: [secondsText(now.wait.median), "of the last half minute"],
      slow: [secondsText(now.wait.slow), "19 of 20 waited no longer"],
      memory: [bytesText(memory), `in ${Object.keys(now.memory).length} processes`],
      restarts: [countText(now.restarts), "since the server began"],
    };
    for (const [name, [value, below]] of Object.entries(tiles)) {
      found(`[data-tile=${name}] b`).textContent = value;
      found(`[data-tile=${name}] small`).textContent = below;
    }
    found("#aside").replaceChildren(...(aside.length ? aside.map(([model, reason]) => row([model, reason])) : [row(["none", ""])]));
    found("#caches").replaceChildren(...facts.caches.map(cacheRow));
  }

  /** @type {(kind: string, text: string) => void} */
  state(kind, text) {
    const state = found("#state");
    state.dataset.kind = kind;
    if (state.textContent !== text) state.textContent = text;
  }
}

// One word for how it goes, and the reason.
/** @type {(now: Moment, facts: ServerFacts, aside: number) => [string, string]} */
function condition(now, facts, aside) {
  if (now.sessions >= facts.sessions_limit) return ["bad", "full: no further page can be opened"];
  if (aside) return ["warn", aside === 1 ? "one model is put aside" : `${aside} models are put aside`];
  if ((now.wait.slow ?? 0) > 2) return ["warn", "visitors wait"];
  return ["well", "all is well"];
}

/** @type {(cells: readonly (string | Node)[]) => HTMLElement} */
function row(cells) {
  const made = document.createElement("tr");
  for (const cell of cells) {
    const place = document.createElement("td");
    place.append(cell);
    made.append(place);
  }
  return made;
}

/** @param {CacheFacts} kept */
function cacheRow(kept) {
  const bar = document.createElement("meter");
  Object.assign(bar, { max: Math.max(1, kept.limit), value: kept.bytes });
  bar.setAttribute("aria-label", `${kept.process} ${kept.cache}`);
  const asked = (kept.hits ?? 0) + (kept.misses ?? 0);
  const helped = kept.hits === null || !asked ? "–" : `${Math.round((100 * kept.hits) / asked)} %`;
  return row([kept.process, kept.cache, bar, `${bytesText(kept.bytes)} of ${bytesText(kept.limit)}`, helped]);
}

new Operator();
