// One open lesson: its parameters, and the numbers of its parts on demand.

import { addressOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { answerOf } from "../page/asking.js";
import { drawLive, drawNumbers, parameter, partOf } from "./lesson_parts.js";
import { hasRun, liveQuery, parametersOf, progressIn } from "./lessons.js";
import { buttonOf, placed, remark, textIn } from "./making.js";

export class OpenLesson {
  running = {}; // what the answers that are under way are for
  living = {};
  done = false; // whether all numbers are there
  liveAt = ""; // the address of what is said about the layer on screen

  /**
   * @param {number} number
   * @param {LessonFacts} facts
   * @param {StagePage} page
   */
  constructor(number, facts, page) {
    const { words } = page.data;
    this.number = number;
    this.page = page;
    this.progress = progressIn(number, facts.choices);
    this.runs = buttonOf(words.course_run, () => this.run(), "lg-primary");
    this.status = element("p", "lg-quiet");
    this.status.setAttribute("role", "status");
    this.parts = facts.parts.map((part) => partOf(part, words));
    this.live = element("section");
    this.live.hidden = true;
    this.sees = buttonOf("", () => page.store.dispatch({ type: "view", view: "hooks" }));
    this.root = element("div");
    this.root.append(
      element("h2", "", facts.title),
      textIn("p", facts.text),
      placed("lg-course-parameters", ...facts.choices.map((choice) => this.parameter(choice))),
      placed("lg-course-run", this.runs),
      this.status,
      ...this.parts.map(({ root }) => root),
      this.live,
      remark(`${words.course_try}.`, facts.hints),
      remark(`${words.course_traps}.`, facts.traps),
      placed("lg-course-see", this.sees),
    );
    this.mayRun(true);
    if (hasRun(this.progress)) this.run();
  }

  /** @param {Look} look */
  show(look) {
    const { words, model } = this.page.data;
    this.sees.textContent = filled(words.course_see, { model });
    if (this.done) this.showLive(look);
  }

  close() {
    this.running = {};
    this.living = {};
  }

  /** @param {LessonChoice} choice */
  parameter(choice) {
    const { progress } = this;
    return parameter(choice, progress.chosen[choice.name], (value) => {
      progress.chosen[choice.name] = value;
      this.choose();
    });
  }

  // Another parameter: the numbers on screen are no longer those that were asked for.
  choose() {
    this.close();
    this.done = false;
    this.liveAt = "";
    for (const { numbers } of this.parts) numbers.replaceChildren();
    this.live.replaceChildren();
    this.live.hidden = true;
    if (hasRun(this.progress)) this.run();
    else this.mayRun(true);
  }

  /** Compute the numbers of one part after the other; one that needs too much memory says so, and the others go on. */
  async run() {
    const { parts, progress, page: { data: { words } } } = this;
    const running = this.running = {};
    progress.ran = parametersOf(progress);
    this.mayRun(false);
    for (const { name, numbers } of parts) {
      numbers.replaceChildren(element("p", "lg-quiet", words.course_running));
      const found = await answerOf(this.address(name), () => this.running === running);
      if (!found) return;
      drawNumbers(numbers, found, words);
    }
    this.status.textContent = "";
    this.done = true;
    this.showLive(this.page.store.get());
  }

  /** @param {boolean} may */
  mayRun(may) {
    const { words } = this.page.data;
    this.runs.setAttribute("aria-disabled", String(!may));
    this.status.textContent = may ? words.course_not_run : words.course_running;
  }

  /** @param {string} part */
  address(part) {
    const { number, progress: { chosen }, page: { data: { subject, words } } } = this;
    const query = new URLSearchParams({ lesson: String(number), part, ...chosen, lang: words.language_code });
    return addressOf(subject, "lesson.json", query.toString());
  }

  /**
   * Draw the lesson's facts of the layer on screen; asked again only if that is another one.
   * @param {Look} look
   */
  async showLive(look) {
    const { live, page: { data: { subject, words } } } = this;
    const address = addressOf(subject, "lesson_live.json", liveQuery({ ...look, lesson: String(this.number) }), `lang=${words.language_code}`);
    if (address === this.liveAt) return;
    this.liveAt = address;
    const living = this.living = {};
    live.setAttribute("aria-busy", "true");
    const found = await answerOf(address, () => this.living === living);
    if (!found) return;
    live.removeAttribute("aria-busy");
    drawLive(live, found, words);
  }
}
