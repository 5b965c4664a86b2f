// One exercise: task, field for the answer, check, hints, and at last the solution.

import { buttonOf, placed, textIn } from "../learning/making.js";
import { addressOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { refused } from "../maps/said.js";
import { answerOf, asked, ASK_AGAIN_MS } from "../page/asking.js";
import { codeOf, drawFound } from "./drawing.js";
import { Editor } from "./editor.js";
import { keep, keptOf } from "./kept.js";

/** @typedef {{label: string, go: () => void}} Onward - what a student does after a right answer */

let checkedBefore = false; // whether the process that runs answers is known to be there

export class Exercise {
  wanted = {}; // what the answers that are under way are for
  checking = false;
  /** @type {?ExerciseFacts} */
  facts = null;
  /** @type {?Editor} */
  editor = null;
  shown = 0; // how many hints are on screen, the solution as the last

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   * @param {string} id - the exercise's, as its file is named
   * @param {{solved?: (id: string) => void, next?: ?Onward}} [around] - what to do when it is solved, and what comes next
   */
  constructor(root, page, id, { solved = () => {}, next = null } = {}) {
    this.page = page;
    this.id = id;
    this.solved = solved;
    this.next = next;
    this.kept = keptOf(id);
    this.root = element("section", "lg-exercise lg-learning");
    this.root.dataset.exercise = id;
    this.root.append(element("p", "lg-quiet", page.data.words.exercise_loading));
    root.append(this.root);
    this.opened = this.open();
  }

  close() {
    this.wanted = {};
    this.root.remove();
  }

  async open() {
    const { words } = this.page.data;
    const wanted = this.wanted;
    const found = await answerOf(addressOf(this.page.data.subject, "exercise.json", this.query()), () => this.wanted === wanted);
    if (!found) return;
    if (found.error) this.root.replaceChildren(refused(found, words));
    else this.draw(found);
  }

  /** @param {Record<string, string>} [more] */
  query(more = {}) {
    return new URLSearchParams({ exercise: this.id, lang: this.page.data.words.language_code, ...more }).toString();
  }

  /** @param {ExerciseFacts} facts */
  draw(facts) {
    const { words } = this.page.data;
    this.facts = facts;
    const editor = this.editor = new Editor(words.exercise_editor, words.exercise_keys, {
      changed: () => this.keep(),
      checks: () => this.check(),
      longest: facts.longest,
    });
    this.checks = buttonOf(words.exercise_check, () => this.check(), "lg-primary");
    this.helps = buttonOf("", () => this.help());
    const again = buttonOf(words.exercise_again, () => this.again());
    this.verdict = element("div", "lg-verdict");
    this.verdict.setAttribute("role", "status");
    this.onward = element("div", "lg-onward");
    this.result = placed("lg-result", this.verdict, this.onward);
    this.found = element("div", "lg-found");
    this.helped = element("div", "lg-helped");
    const title = element("h3", "", facts.title);
    this.root.setAttribute("aria-label", facts.title);
    this.root.replaceChildren(
      title,
      ...facts.task.map((text) => textIn("p", text)),
      ...(facts.whole ? [element("p", "lg-quiet", words.exercise_whole)] : []),
      editor.root,
      editor.hint,
      placed("lg-buttons", this.checks, this.helps, again),
      this.result,
      this.helped,
      this.found,
    );
    editor.put(this.kept?.code ?? facts.start);
    const shown = Math.min(this.kept?.help ?? 0, facts.hints + 1);
    this.nameHelp();
    this.helpUpTo(shown);
  }

  keep() {
    const { editor, shown, kept } = this;
    if (!editor) return;
    this.kept = { code: editor.code, help: Math.max(shown, kept?.help ?? 0), solved: kept?.solved ?? false };
    keep(this.id, this.kept);
  }

  again() {
    const { editor, facts } = this;
    if (!editor || !facts) return;
    editor.put(facts.start);
    this.keep();
    this.verdict?.replaceChildren();
    this.onward?.replaceChildren();
    this.found?.replaceChildren();
    editor.field.focus();
  }

  async check() {
    const { editor, page: { data: { words, subject } } } = this;
    if (this.checking || !editor || !this.checks) return;
    this.busy(true);
    this.onward?.replaceChildren();
    this.verdict?.replaceChildren(element("p", "lg-quiet", checkedBefore ? words.exercise_checking : words.exercise_first));
    const wanted = this.wanted;
    const found = await posted(addressOf(subject, "answer.json", this.query()), editor.code, () => this.wanted === wanted);
    if (this.wanted !== wanted) return;
    this.busy(false);
    checkedBefore = true;
    this.show(found);
    if (this.result) bring(this.result);
  }

  /** @param {boolean} busy */
  busy(busy) {
    this.checking = busy;
    this.checks?.setAttribute("aria-disabled", String(busy));
    if (busy) this.found?.setAttribute("aria-busy", "true");
    else this.found?.removeAttribute("aria-busy");
  }

  /** @param {?AnswerFacts} answer */
  show(answer) {
    const { editor, verdict, found, page: { data: { words } } } = this;
    if (!editor || !verdict || !found) return;
    if (!answer || answer.error) {
      verdict.replaceChildren(answer ? refused(answer, words) : element("p", "lg-refused", words.exercise_unreachable));
      found.replaceChildren();
      return;
    }
    drawFound({ verdict, found }, answer, words, (line) => editor.goTo(line));
    editor.mark(answer.problems.find(({ line }) => line)?.line ?? 0);
    if (!answer.right) return;
    this.kept = { code: editor.code, help: this.shown, solved: true };
    keep(this.id, this.kept);
    this.solved(this.id);
    const { next } = this;
    if (next) this.onward?.replaceChildren(buttonOf(`${next.label} →`, next.go, "lg-primary"));
  }

  // The next hint, or after the last one the solution.
  async help() {
    await this.helpUpTo(this.shown + 1);
    this.keep();
    const last = this.helped?.lastElementChild;
    if (last instanceof HTMLElement) {
      last.tabIndex = -1;
      last.focus();
    }
  }

  /** @param {number} count */
  async helpUpTo(count) {
    const { facts, page: { data: { subject, words } } } = this;
    if (!facts) return;
    const wanted = this.wanted;
    for (let step = this.shown; step < Math.min(count, facts.hints + 1); step += 1) {
      this.shown = step + 1;
      const found = await answerOf(addressOf(subject, "exercise_help.json", this.query({ help: String(step) })), () => this.wanted === wanted);
      if (!found) return;
      const heading = step < facts.hints ? filled(words.exercise_hint, { number: step + 1, count: facts.hints }) : words.exercise_solved_by;
      const place = placed("lg-hint", element("h4", "", heading), found.error ? refused(found, words, "") : textIn("p", found.text));
      if (found.code) place.append(codeOf(found.code));
      this.helped?.append(place);
      this.nameHelp();
    }
  }

  nameHelp() {
    const { facts, helps, shown, page: { data: { words } } } = this;
    if (!facts || !helps) return;
    helps.hidden = shown > facts.hints;
    helps.textContent = shown < facts.hints ? filled(words.exercise_hint, { number: shown + 1, count: facts.hints }) : words.exercise_solution;
  }
}

// Bring the result of an answer into view, gently, unless it is there already. The focus stays, too.
/** @param {HTMLElement} result */
function bring(result) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  result.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
}

// Post a text and return the server's answer; again while it is busy, null if it cannot be reached or nobody waits.
/**
 * @param {Address<"answer.json">} address
 * @param {string} code
 * @param {() => boolean} wanted
 * @returns {Promise<?AnswerFacts>}
 */
async function posted(address, code, wanted) {
  const tries = 3;
  for (let attempt = 0; attempt < tries && wanted(); attempt += 1) {
    try {
      const answer = await asked(address, { method: "POST", body: code, headers: { "content-type": "text/plain; charset=utf-8" } });
      const found = await answer.json();
      if (!found.superseded && answer.status < 500) return found;
    } catch { /* the connection is gone for a moment */ }
    await new Promise((go) => { setTimeout(go, ASK_AGAIN_MS); });
  }
  return null;
}
