// The way into a class by a link, and back into it. Back is needed after a reload, without a line for long, or with
// another visit, which Streamlit begins for a laptop that has slept.

import { resting, untilHeard } from "../class_line/server.js";
import { said } from "../maps/said.js";
import { isSameCode, keptClass } from "./kept_class.js";

/** @typedef {import("./kept_class.js").KeptClass} KeptClass */

export class Returning {
  /** @type {?object} */
  trying = null; // stands for the attempt that is under way

  lost = false; // whether the server did not hear of it so far
  wake = () => {};

  /**
   * @param {import("./classroom.js").Classroom} classroom
   * @param {string} code - of the link, if it was one of a class
   */
  constructor(classroom, code) {
    this.classroom = classroom;
    this.code = code;
  }

  // Role, code and secret to return to the class; a page in it needs no storage for that.
  /** @returns {?KeptClass} */
  get kept() {
    const { role, code, secret, own } = this.classroom.now;
    return role === "none" ? keptClass() : { role, code, secret, own };
  }

  // A link leads into a class, and a reload back into it; so does the link of the class that the page was in.
  begin() {
    const { kept, code } = this;
    if (kept && (!code || isSameCode(code, kept.code))) this.again(kept);
    else if (code) this.arrive(code);
  }

  /** @param {string} code */
  async arrive(code) {
    const wrong = await this.classroom.join(code);
    if (wrong) this.classroom.askToJoin(code, wrong);
  }

  // Into the same class again, with the secret that the page was given: until the server says that this is over.
  async again(kept = this.kept) {
    if (!kept || this.trying) return this.wake();
    const { classroom } = this, { role, code, secret, own } = kept;
    classroom.line?.close(); // it is of a visit that may not be this one
    const teaches = role === "teacher";
    const found = await this.answer(teaches ? "class_take.json" : "class_join.json", teaches ? { right: secret } : { code, ticket: secret });
    if (!found) return undefined;
    if ("error" in found) return classroom.out(said(found, "error", classroom.page.data.words), found.document);
    if ("right" in found) return classroom.opened(found);
    if (!("ticket" in found)) return undefined;
    classroom.joined(found);
    classroom.happened({ type: "own", own });
    classroom.say();
    return undefined;
  }

  // True if the page is in its class with the subject that Python has sent just now; if that is another visit's, nobody
  // has chosen it, and the page goes back into the class with it.
  async isInside() {
    if (this.trying) {
      this.wake();
      return false;
    }
    const { following, hand } = this.classroom.now;
    const found = await this.answer("class_say.json", { following, hand });
    if (found && "error" in found) this.again();
    return found !== null && !("error" in found);
  }

  /**
   * The server's answer, asked for until it comes; null if the page has given up meanwhile.
   * @param {"class_take.json" | "class_join.json" | "class_say.json"} question
   * @param {object} told
   */
  async answer(question, told) {
    const trying = this.trying = {};
    const found = await untilHeard(() => this.classroom.server.heard(question, told), {
      wanted: () => this.trying === trying,
      failed: () => this.failed(),
      pause: (milliseconds) => resting(milliseconds, (go) => { this.wake = go; }),
    });
    if (this.trying === trying) this.stop();
    return found;
  }

  failed() {
    this.lost = true;
    if (this.classroom.now.role !== "none") this.classroom.happened({ type: "line", connected: false });
    this.classroom.saidSo();
  }

  stop() {
    this.trying = null;
    this.lost = false;
    this.wake();
  }
}
