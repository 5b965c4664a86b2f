// The player of a lesson: single steps, dots for progress, buttons.

import { Exercises } from "../exercise/exercises.js";
import { goOn } from "../learning/going_on.js";
import { buttonOf, placed } from "../learning/making.js";
import { isWriting, keeps } from "../layer/keys.js";
import { addressOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { answerOf } from "../page/asking.js";
import { signsCount } from "../page/signs.js";
import { OpenStep } from "./open_step.js";
import { placeOfKey } from "./prediction.js";
import { arrived, counted, doneIn, keep, kept, withDone, without, wrongIn } from "./progress.js";

export class Player {
  /** @type {?OpenStep} */
  open = null;
  /** @type {?Exercises} */
  exercises = null; // below the last step
  number = 0; // of the step on screen
  hearing = new AbortController();

  /**
   * @param {LessonText} lesson
   * @param {readonly LessonEntry[]} lessons
   * @param {StagePage} page
   */
  constructor(lesson, lessons, page) {
    const { words } = page.data;
    this.lesson = lesson;
    this.page = page;
    this.words = words;
    this.next = lessons[lessons.findIndex(({ id }) => id === lesson.id) + 1] ?? null;
    this.root = element("div", "lg-lesson-player");
    const all = buttonOf(words.course_all, () => page.store.dispatch({ type: "lesson", lesson: "" }), "lg-course-all");
    this.dots = element("nav", "lg-dots");
    this.dots.setAttribute("aria-label", words.course_steps_label);
    this.place = element("div", "lg-step-place");
    this.back = buttonOf(`← ${words.step_back}`, () => this.go(-1));
    this.on = buttonOf("", () => this.go(1), "lg-step-next");
    this.end = element("section", "lg-lesson-end");
    this.hands = element("div"); // what is done by hand stands before the way to the next lesson
    this.root.append(
      placed("lg-course-head", all, element("h2", "", lesson.title), this.dots), this.place, this.end, this.hands,
      placed("lg-step-ways", this.back, this.on),
    );
    document.addEventListener("keydown", (event) => this.pressed(event), { signal: this.hearing.signal });
  }

  /**
   * Show the step that the look says. Without one, it is the one where the student was, and the look says so: a class
   * sees the same one.
   * @param {Look} look
   */
  show(look) {
    const { lesson: { id, steps }, page: { store } } = this;
    const wanted = Math.min(look.lesson_step ?? kept()[id]?.at ?? 1, steps.length);
    if (look.lesson_step === null) return store.settle({ type: "lesson", lesson: id, lesson_step: wanted });
    if (wanted === this.number) return;
    const before = this.number;
    this.number = wanted;
    keep(arrived(kept(), id, wanted));
    this.draw();
    if (before && this.open) goOn(this.open.heading);
  }

  draw() {
    const { lesson, number, page } = this;
    this.open?.close();
    const open = this.open = new OpenStep(lesson.steps[number - 1], {
      page, lesson, number,
      run: (wanted) => answerOf(this.address("step.json", number), wanted),
      maps: (wanted) => answerOf(this.address("step_maps.json", number), wanted),
      done: (done) => this.done(number, done),
    }, doneIn(kept(), lesson.id, number));
    this.place.replaceChildren(open.root);
    this.drawWays();
  }

  /**
   * @template {"step.json" | "step_maps.json"} Question
   * @param {Question} question
   * @param {number} number
   */
  address(question, number) {
    const { page: { data: { subject } }, words, lesson } = this;
    const query = { lesson: lesson.id, lesson_step: String(number), lang: words.language_code };
    return addressOf(subject, question, new URLSearchParams(query).toString());
  }

  /**
   * A step is done, or is to be done once more.
   * @param {number} number
   * @param {?import("./progress.js").Done} done
   */
  done(number, done) {
    const { lesson: { id } } = this;
    if (done) {
      if (!doneIn(kept(), id, number)) keep(withDone(kept(), id, number, done));
      this.drawWays();
      return;
    }
    keep(without(kept(), id, number));
    this.draw();
    if (this.open) goOn(this.open.heading);
  }

  drawWays() {
    const { lesson: { id, steps }, number, words } = this;
    const last = number === steps.length;
    this.dots.replaceChildren(...steps.map((step, place) => this.dot(step, place + 1)));
    this.back.setAttribute("aria-disabled", String(number === 1));
    this.on.textContent = `${last ? this.afterwards() : words.step_next} →`;
    this.on.classList.toggle("lg-primary", doneIn(kept(), id, number) !== undefined && !(last && this.lesson.exercises.length));
    const { done, asked, right } = counted(kept(), id, steps.length);
    this.end.hidden = !last || done < steps.length;
    this.end.replaceChildren(element("h3", "", words.lesson_done), element("p", "", this.score(right, asked)));
    this.drawExercises(last);
  }

  // Name of the next lesson, or of the end, in words.
  afterwards() {
    const { words, next } = this;
    return filled(next ? words.lesson_next : words.lesson_last, { title: next?.title ?? "" });
  }

  // The score in words, with the steps to look at again.
  /** @type {(right: number, asked: number) => string} */
  score(right, asked) {
    const { lesson: { id, steps }, words } = this;
    const wrong = wrongIn(kept(), id, steps.length);
    return filled(wrong.length ? words.lesson_score : words.lesson_score_all, { right, count: asked, steps: wrong.join(", ") });
  }

  // The exercises of the lesson, at its last step. An open one stays open while the student is there.
  /** @param {boolean} shown */
  drawExercises(shown) {
    if (!shown || !this.lesson.exercises.length) {
      this.exercises?.close();
      this.exercises = null;
      return;
    }
    this.exercises ??= new Exercises(this.hands, this.page, this.lesson.exercises, { label: this.afterwards(), go: () => this.go(1) });
    this.exercises.show();
  }

  /** @type {(step: StepText, number: number) => HTMLElement} */
  dot({ title }, number) {
    const { lesson: { id }, words } = this;
    const done = doneIn(kept(), id, number);
    const [sign, kind, label] = !done
      ? [String(number), "", words.step_dot]
      : done.right === false ? ["✗", " lg-dot-wrong", words.step_dot_wrong] : ["✓", " lg-dot-done", words.step_dot_done];
    const dot = buttonOf(sign, () => this.to(number), `lg-dot${kind}`);
    dot.setAttribute("aria-label", filled(label, { number, title }));
    if (number === this.number) dot.setAttribute("aria-current", "step");
    dot.title = title;
    return dot;
  }

  /** @param {number} by */
  go(by) {
    const { lesson: { steps }, number, next, page: { store } } = this;
    if (number + by >= 1 && number + by <= steps.length) this.to(number + by);
    else if (by > 0) store.dispatch({ type: "lesson", lesson: next?.id ?? "" });
  }

  /** @param {number} number */
  to(number) {
    this.page.store.dispatch({ type: "lesson", lesson: this.lesson.id, lesson_step: number });
  }

  // A letter or a digit chooses an answer, Enter runs, and then goes on; the arrow keys come by way of the stage (`keyed`).
  /** @param {KeyboardEvent} event */
  pressed(event) {
    const { key, target } = event;
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isWriting(target)) return;
    if (key === "Enter" && target instanceof Element && !target.closest("button, a, summary, input, select")) {
      if (this.open?.state === "shown") this.go(1);
      else this.open?.run(true);
      event.preventDefault();
    } else if (placeOfKey(key) >= 0 && signsCount() && !keeps(target, key)) this.open?.prediction?.press(placeOfKey(key));
  }

  close() {
    this.hearing.abort();
    this.open?.close();
    this.exercises?.close();
    this.root.remove();
  }
}
