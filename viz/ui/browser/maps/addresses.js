// The addresses of answers: /maps/<subject>/<question>?<fields of the look that matter>.

import { FIRST, VIEWS } from "../look/fields.js";
import { lookToQuery } from "../look/look.js";

/** @typedef {import("../look/look.js").Look} Look */

const ROOM = /(^|&)room=\d+x\d+/;
const DARK = /(^|&)dark=1/;

/** Fields that decide how one layer is drawn. @type {(keyof Look)[]} */
const DRAWN = ["layer", "call", "leaf", "kind", "row", "index", "colormap", "scale", "order", "edit", "show", "training"];

/** Fields that decide how all layers are drawn. @type {(keyof Look)[]} */
const ALL_DRAWN = ["colormap", "scale", "order", "edit", "training"];

/**
 * The text of those fields of a look that a question depends on, so that equal questions have equal addresses.
 * @param {Look} look
 * @param {readonly (keyof Look)[]} fields
 */
export function queryOf(look, fields) {
  return lookToQuery({ ...FIRST, ...Object.fromEntries(fields.map((name) => [name, look[name]])) });
}

/** One layer as the look draws it: its value, or in the view of gradients its gradient. @param {Look} look */
export function drawnQuery(look) {
  return queryOf(look, VIEWS[look.view].gradient ? ["view", ...DRAWN, "target"] : DRAWN);
}

/** Every layer as the look draws them. @param {Look} look */
export function allDrawnQuery(look) {
  return queryOf(look, ALL_DRAWN);
}

/**
 * The address of an answer about a subject.
 * @template {string} Question
 * @param {string} subject
 * @param {Question} question
 * @param {...(string | false)} queries
 */
export function addressOf(subject, question, ...queries) {
  const query = queries.filter(Boolean).join("&");
  return /** @type {Address<Question>} */ (`maps/${subject}/${question}${query ? `?${query}` : ""}`);
}

/** More about a page of maps that has been fetched. @param {{subject: string, query: string}} page @param {string} question @param {string} more */
export function aboutPage({ subject, query }, question, more = "") {
  return addressOf(subject, question, query, more);
}

/** The same, however large the screen is. @param {{subject: string, query: string}} page @param {string} question @param {string} more */
export function aboutWhole(page, question, more = "") {
  return aboutPage(withoutRoom(page), question, more);
}

/** @param {{subject: string, query: string}} page */
export function withoutRoom({ subject, query }) {
  return { subject, query: query.replace(ROOM, "").replace(/^&/, "") };
}

/** The same as it is printed, whatever colours suit the page. @param {{subject: string, query: string}} page @param {string} question */
export function asPrinted({ subject, query }, question, more = "") {
  return addressOf(subject, question, query.replace(DARK, ""), more);
}

/** The whole picture in small. @param {string} subject */
export function photoAddress(subject) {
  return addressOf(subject, "photo.jpg");
}

/** Address of the model's input as a picture. @param {string} subject */
export function seenAddress(subject) {
  return addressOf(subject, "seen.png");
}
