// The contents of the course: its lessons, the student's progress, the sources.

import { buttonOf, placed, textIn } from "../learning/making.js";
import { element, filled } from "../maps/mosaic.js";
import { counted, inLesson } from "./progress.js";

/**
 * @param {readonly LessonEntry[]} lessons
 * @param {import("./progress.js").Progress} progress
 * @param {StagePage} page
 */
export function contentsOf(lessons, progress, { data: { words }, store }) {
  const root = element("div", "lg-contents");
  const list = element("ol", "lg-lessons");
  const next = lessons.find(({ id, steps }) => counted(progress, id, steps).done < steps);
  list.append(...lessons.map((lesson, place) => entry(lesson, place, lesson === next, progress, words, () => store.dispatch({ type: "lesson", lesson: lesson.id }))));
  const sources = buttonOf(words.sources, () => store.dispatch({ type: "lesson", lesson: "sources" }), "lg-to-sources");
  root.append(
    placed("lg-course-head", element("h2", "", words.course_title), element("p", "", words.course_intro)), list,
    placed("lg-contents-end", element("p", "", words.sources_text), sources),
  );
  return root;
}

/** @type {(lesson: LessonEntry, place: number, isNext: boolean, progress: import("./progress.js").Progress, words: Words, open: () => void) => HTMLElement} */
function entry({ id, title, about, minutes, steps }, place, isNext, progress, words, open) {
  const { done } = counted(progress, id, steps);
  const row = element("li", done >= steps ? "lg-lesson-entry lg-lesson-done" : "lg-lesson-entry");
  const label = done >= steps ? words.course_again : inLesson(progress, id) === progress[id] && done ? words.course_continue : words.course_begin;
  const begin = buttonOf(label, open, isNext ? "lg-primary" : "");
  begin.dataset.lesson = id;
  begin.setAttribute("aria-label", `${label}: ${title}`);
  const said = [filled(words.course_minutes, { minutes }), done ? filled(words.course_steps, { done, count: steps }) : ""].filter(Boolean).join(" · ");
  const number = element("span", "lg-lesson-number", done >= steps ? "✓" : String(place + 1));
  number.setAttribute("aria-hidden", "true");
  row.append(number, placed("lg-lesson-said", element("h3", "", title), textIn("p", about), element("p", "lg-quiet", said)), begin);
  return row;
}
