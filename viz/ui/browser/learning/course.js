// The course: which lesson is open, and which one the visitor asks for.

import { Exercises } from "../exercise/exercises.js";
import { addressOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { OpenLesson } from "./open_lesson.js";

export class Course {
  due = ""; // the lesson and the language that are on screen, or asked for
  loading = {};
  refused = false; // whether the note is about the lesson that was asked for just before
  /** @type {?OpenLesson} */
  lesson = null;

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.root = element("section", "lg-course lg-learning");
    this.note = element("p", "lg-refused");
    this.note.setAttribute("role", "alert");
    this.note.hidden = true;
    this.choice = element("div", "lg-lesson");
    this.body = element("div");
    this.root.append(this.note, this.choice, this.body);
    this.exercises = new Exercises(this.root, page);
    root.append(this.root);
  }

  /** @param {Look} look */
  show(look) {
    this.exercises.show();
    const due = `${look.lesson} ${this.page.data.words.language_code}`;
    if (due === this.due) {
      this.lesson?.show(look);
      return;
    }
    this.due = due;
    this.load(look.lesson);
  }

  close() {
    this.loading = {};
    this.lesson?.close();
    this.exercises.close();
    this.root.remove();
  }

  /**
   * Fetch a lesson, and show it as the visitor left it.
   * @param {number} number
   */
  async load(number) {
    const { body, page: { data: { subject, words }, store } } = this;
    const loading = this.loading = {};
    this.lesson?.close();
    this.lesson = null;
    body.setAttribute("aria-busy", "true");
    if (!body.firstChild) body.append(element("p", "lg-quiet", words.course_loading));
    const query = new URLSearchParams({ lesson: String(number), lang: words.language_code });
    const found = await answerOf(addressOf(subject, "course.json", query.toString()), () => this.loading === loading);
    if (!found) return;
    body.removeAttribute("aria-busy");
    if (found.error) {
      this.refuse(number, said(found, "error", words));
      return;
    }
    this.note.hidden = !this.refused;
    this.refused = false;
    this.switchTo(number, found.lessons);
    this.lesson = new OpenLesson(number, found, this.page);
    body.replaceChildren(this.lesson.root);
    this.lesson.show(store.get());
  }

  /**
   * Say that there is no such lesson, and show the first one.
   * @param {number} number
   * @param {string} error
   */
  refuse(number, error) {
    this.note.textContent = error;
    this.note.hidden = false;
    this.refused = number !== 0;
    if (number) this.page.store.dispatch({ type: "lesson", lesson: 0 });
    else this.body.replaceChildren();
  }

  /**
   * The switch of lessons. Where it stands already it stays, and keeps the focus.
   * @param {number} lesson
   * @param {number} lessons
   */
  switchTo(lesson, lessons) {
    const { choice, page: { data: { words }, store } } = this;
    if (choice.dataset.language !== words.language_code) {
      const group = element("div", "lg-segments");
      group.setAttribute("role", "radiogroup");
      group.setAttribute("aria-label", words.lesson);
      group.append(...Array.from({ length: lessons }, (_, number) => {
        const chosen = () => store.dispatch({ type: "lesson", lesson: number });
        return segment(number, filled(words.course_lesson, { number }), chosen);
      }));
      choice.replaceChildren(group);
      choice.dataset.language = words.language_code;
    }
    for (const radio of choice.querySelectorAll("input")) radio.checked = Number(radio.value) === lesson;
  }
}

/** @type {(number: number, text: string, chosen: () => void) => HTMLElement} */
function segment(number, text, chosen) {
  const label = element("label");
  const radio = element("input");
  Object.assign(radio, { type: "radio", name: "lg-lesson", value: number, onchange: chosen });
  label.append(radio, element("span", "", text));
  return label;
}
