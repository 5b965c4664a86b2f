// One step of a lesson: text, prediction, run, outcome and reasons.

import { buttonOf, placed, textIn } from "../learning/making.js";
import { lookFromQuery } from "../look/look.js";
import { element, filled } from "../maps/mosaic.js";
import { refused } from "../maps/said.js";
import { Code } from "./code.js";
import { pictureOf, printedOf, reasonsOf, verdictOf } from "./outcome.js";
import { isRight, Prediction } from "./prediction.js";

/** @typedef {import("./progress.js").Done} Done */

/**
 * The part of a lesson that its step uses.
 * @typedef {Object} Around
 * @property {StagePage} page
 * @property {LessonText} lesson
 * @property {number} number - of the step, from 1
 * @property {(wanted: () => boolean) => Promise<?StepFacts>} run
 * @property {(wanted: () => boolean) => Promise<?StepMaps>} maps
 * @property {(done: ?Done) => void} done
 */

export class OpenStep {
  running = {};
  /** @type {"reading" | "running" | "shown"} */
  state = "reading";

  /**
   * @param {StepText} step
   * @param {Around} around
   * @param {Done | undefined} before - what the student did here before
   */
  constructor(step, around, before) {
    const { words } = around.page.data;
    Object.assign(this, { step, around, words });
    this.step = step;
    this.around = around;
    this.words = words;
    this.code = step.code ? new Code(step.code, step.lit, words) : null;
    this.prediction = step.question ? new Prediction(step, words, () => this.mayRun()) : null;
    this.heading = element("h3", "", step.title);
    this.heading.tabIndex = -1;
    this.runs = buttonOf(words.step_run, () => this.run(true), "lg-primary lg-step-run");
    this.hint = element("span", "lg-quiet lg-step-hint");
    this.made = element("div", "lg-step-made");
    this.outcome = element("div", "lg-outcome");
    this.why = element("div", "lg-step-why");
    this.outcome.tabIndex = -1;
    this.root = element("article", "lg-step");
    this.draw();
    this.mayRun();
    if (step.maps) this.loadMaps();
    if (before) this.again(before);
    else if (!this.prediction && !this.code) this.run(false);
  }

  draw() {
    const { step, code, prediction, words, around: { lesson } } = this;
    const reading = placed("lg-step-reading", this.heading, ...step.text.map((text) => textIn("p", text)));
    if (code) reading.append(code.root, setupOf(lesson, words));
    const doing = placed("lg-step-doing");
    if (prediction) doing.append(prediction.root);
    if (code) doing.append(placed("lg-step-go", this.runs, this.hint));
    doing.append(this.outcome);
    this.right = placed("lg-step-right", doing);
    this.root.append(reading, this.right, this.made);
    this.watching = new ResizeObserver(() => this.place());
    this.watching.observe(this.root);
  }

  // In two columns, why stands below the prediction and waits for no picture; in one, it comes last, as read and as heard.
  place() {
    const one = getComputedStyle(this.root).display === "flex";
    const into = one ? this.root : this.right;
    if (this.why.parentElement !== into) into?.append(this.why);
  }

  mayRun() {
    const may = this.state === "reading" && (!this.prediction || this.prediction.said !== "");
    this.runs.setAttribute("aria-disabled", String(!may));
    this.hint.textContent = this.state === "running" ? this.words.step_running : may || this.state === "shown" ? "" : this.words.step_commit;
  }

  async loadMaps() {
    const found = await this.around.maps(() => this.root.isConnected || this.state === "reading");
    if (found) this.prediction?.showMaps(found.error ? [] : found.maps);
    const { said } = this.prediction ?? {};
    if (this.state === "shown" && this.facts && said !== undefined) this.prediction?.judge(said, this.facts);
  }

  /**
   * The step as the student left it.
   * @param {Done} before
   */
  again({ said }) {
    if (this.prediction) this.prediction.said = said;
    this.run(false);
  }

  /**
   * Run the code on the student's picture, and show the outcome.
   * @param {boolean} now - whether the student has just asked for it
   */
  async run(now) {
    if (this.state !== "reading" || this.runs.getAttribute("aria-disabled") === "true" && now) return;
    this.state = "running";
    this.mayRun();
    const running = this.running = {};
    const facts = await this.around.run(() => this.running === running);
    if (!facts) return;
    this.state = "shown";
    this.reveal(facts, now);
  }

  /** @type {(facts: StepFacts, now: boolean) => void} */
  reveal(facts, now) {
    const { words, prediction, outcome, code } = this;
    this.facts = facts;
    this.mayRun();
    this.root.classList.add("lg-shown");
    if (facts.error || facts.failed) {
      this.state = "reading";
      this.mayRun();
      const note = facts.error ? refused(facts, words) : element("p", "lg-refused", filled(words.step_failed, { error: facts.failed }));
      note.setAttribute("role", "alert");
      outcome.replaceChildren(note);
      return;
    }
    const said = prediction?.said ?? "";
    const right = prediction ? isRight(said, facts) : null;
    prediction?.judge(said, facts);
    code?.runs(facts.ran, now);
    const printed = printedOf(facts.printed, words);
    outcome.replaceChildren(...(right === null ? [] : [verdictOf(said, right, facts, words)]));
    this.made.replaceChildren(...(printed ? [printed] : []), placed("lg-step-pictures", ...facts.pictures.map(pictureOf)));
    this.why.replaceChildren(reasonsOf(facts.after), this.after(facts));
    if (now) {
      outcome.focus({ preventScroll: true });
      if (outcome.getBoundingClientRect().top > window.innerHeight * 0.7) outcome.scrollIntoView({ block: "center" });
    }
    this.around.done({ said, right });
  }

  // Links to go on: see the same on the stage, watch the lines run, or predict once more.
  /** @param {StepFacts} facts */
  after({ ran }) {
    const { words, step, around: { page, lesson }, prediction, code } = this;
    const row = placed("lg-step-after");
    if (step.look) {
      const link = element("a", "lg-step-look", words.step_open);
      link.href = lookAddress(page, lesson.net, step.look);
      link.onclick = (event) => this.look(event);
      row.append(link);
    }
    if (code && ran.length > 1) row.append(buttonOf(words.step_replay, () => code.light(ran), "lg-plain"));
    if (prediction) row.append(buttonOf(words.step_again, () => this.around.done(null), "lg-plain"));
    return row;
  }

  // With the lesson's net on screen anyway, its view is only another look; the view of the course leads back here.
  /** @param {MouseEvent} event */
  look(event) {
    const { step, around: { page, lesson, number } } = this;
    if (page.data.model !== lesson.net || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    page.store.dispatch({ type: "link", look: { ...lookFromQuery(step.look).look, lesson: lesson.id, lesson_step: number } });
  }

  close() {
    this.running = {};
    this.watching?.disconnect();
    this.code?.close();
  }
}

/**
 * The address of a view of the lesson's net on the picture that is on screen.
 * @param {StagePage} page
 * @param {string} net
 * @param {string} look
 */
export function lookAddress({ data: { address } }, net, look) {
  const names = { ...address, model: net, weights: "pretrained" };
  return `?${new URLSearchParams(names)}&${look}`;
}

/** @type {(lesson: LessonText, words: Words) => HTMLElement} */
function setupOf({ setup }, words) {
  const root = element("details", "lg-setup");
  const text = element("pre");
  text.append(element("code", "", setup.trim()));
  root.append(element("summary", "", words.step_setup), text);
  return root;
}
