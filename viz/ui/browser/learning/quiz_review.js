// The end of a quiz: the score, and each wrong answer with reason and lesson.

import { element, filled } from "../maps/mosaic.js";
import { longestStreak, QUESTIONS, rightIn } from "./games.js";
import { buttonOf, numbersOf, pictureOf, placed, textIn } from "./making.js";
import { shownWith } from "./quiz_choices.js";

/** @typedef {import("./games.js").Game} Game */
/** A question that was answered wrongly. @typedef {{question: QuizQuestionFacts, answer: QuizAnswerFacts, choice: number}} Missed */

/**
 * @param {Game} game
 * @param {HTMLElement} steps - the questions as signs
 * @param {Words} words
 */
export function scoreOf(game, steps, words) {
  const root = placed("lg-quiz-asked", element("h2", "", filled(words.quiz_done, { right: rightIn(game), count: QUESTIONS })), steps);
  const longest = longestStreak(game);
  if (longest > 1) root.append(element("p", "lg-quiet", filled(words.quiz_longest, { count: longest })));
  return root;
}

/**
 * @param {{missed: readonly Missed[], open: number}} result - what was wrong, and how many questions have no answer
 * @param {Words} words
 * @param {(lesson: string) => void} teach - shows a lesson
 */
export function reviewOf({ missed, open }, words, teach) {
  const unanswered = open ? [element("p", "", filled(words.quiz_review_open, { count: open }))] : [];
  if (!missed.length && !open) return placed("lg-quiz-review", element("p", "", words.quiz_review_none));
  if (!missed.length) return placed("lg-quiz-review", ...unanswered);
  const list = element("ol");
  list.append(...missed.map((each) => reviewed(each, words, teach)));
  return placed("lg-quiz-review", ...unanswered, element("h3", "", words.quiz_review), list);
}

/** @type {(missed: Missed, words: Words, teach: (lesson: string) => void) => HTMLElement} */
function reviewed({ question, answer, choice }, words, teach) {
  const item = element("li");
  const [chosen, right] = [question.choices[choice], question.choices[answer.answer]];
  item.append(textIn("p", question.text), placed("lg-quiz-play", ...shownWith(question)));
  item.append(shown(filled(words.quiz_review_chosen, { chosen: chosen.text }), "✗", chosen, "lg-wrong"));
  item.append(shown(filled(words.quiz_review_answer, { answer: right.text }), "✓", right, "lg-right"));
  item.append(textIn("p", answer.why), lessonLink(answer, words, teach));
  return item;
}

/** @type {(text: string, sign: string, choice: QuizChoice, className: string) => HTMLElement} */
function shown(text, sign, { picture, numbers }, className) {
  const row = element("p", `lg-verdict-line ${className}`);
  const signed = element("span", "lg-quiz-sign", sign);
  signed.setAttribute("aria-hidden", "true"); // the words say it
  row.append(signed, element("span", numbers ? "lg-unseen" : "", text));
  if (picture) row.append(pictureOf(picture, "span"));
  if (numbers) {
    const table = numbersOf(numbers);
    table.setAttribute("aria-hidden", "true");
    row.append(table);
  }
  return row;
}

/**
 * @param {QuizAnswerFacts} answer
 * @param {Words} words
 * @param {(lesson: string) => void} teach
 */
export function lessonLink({ lesson, lesson_title: title }, words, teach) {
  const link = buttonOf(filled(words.quiz_lesson, { title }), () => teach(lesson), "lg-link");
  link.dataset.lesson = lesson;
  return link;
}
