// The teacher's view of a step's question, with the right answer on demand.

import { button } from "../layer/help.js";
import { element, filled } from "../maps/mosaic.js";
import { paragraph } from "./marked.js";

/** @typedef {import("../plan/question.js").PlanQuestion} PlanQuestion */

/** @type {(root: HTMLElement, player: import("./player.js").Player, words: Words) => void} */
export function drawQuestion(root, player, words) {
  const { question } = player.step;
  root.hidden = question === null || player.asks; // the card of the class says the same
  const held = root.contains(document.activeElement);
  root.replaceChildren();
  if (!question) return;
  const doing = element("div", "lg-plan-asking");
  const shows = button("", player.answered ? words.plan_answer_hide : words.plan_answer, () => player.showAnswer());
  shows.dataset.part = "plan_answer";
  shows.setAttribute("aria-expanded", String(player.answered));
  if (player.teaches) {
    const asks = button("lg-primary", words.plan_ask, () => player.ask());
    asks.dataset.part = "plan_ask";
    doing.append(asks);
  }
  doing.append(shows);
  root.append(paragraph(question.text, "lg-plan-asked"), ...waysOf(question, player.answered, words), doing);
  if (player.answered) root.append(answerOf(question, words));
  if (held) shows.focus({ preventScroll: true });
}

/** @type {(question: PlanQuestion, answered: boolean, words: Words) => HTMLElement[]} */
function waysOf({ kind, choices, guess, answer }, answered, words) {
  if (kind !== "choice") {
    const text = kind === "number" ? filled(words.plan_kind_number, { ...guess }) : kind === "map" ? words.plan_kind_map : words.plan_kind_shape;
    return [element("p", "lg-plan-way", text)];
  }
  const list = element("ol", "lg-plan-choices");
  list.append(...choices.map((choice) => {
    const item = element("li");
    item.append(paragraph(choice.words));
    if (answered && choice.why) item.append(paragraph(choice.why, "lg-plan-why"));
    if (answered && choice.value === answer) item.dataset.right = "";
    return item;
  }));
  return [list];
}

/** @type {(question: PlanQuestion, words: Words) => HTMLElement} */
function answerOf(question, words) {
  const root = element("div", "lg-plan-answer");
  root.setAttribute("role", "status");
  root.append(element("p", "lg-plan-right", filled(words.plan_right, { answer: rightOf(question, words) })), ...question.why.map((each) => paragraph(each)));
  return root;
}

/** @type {(question: PlanQuestion, words: Words) => string} */
function rightOf({ kind, choices, guess, answer }, words) {
  if (kind === "choice") return choices.find(({ value }) => value === answer)?.words ?? answer;
  if (kind === "map") return filled(words.plan_channels, { answer });
  return guess?.unit ? `${answer} ${guess.unit}` : answer;
}
