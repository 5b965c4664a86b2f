// The line of the class above the maps: its state, and its buttons.

import { counts, follows, leads, spelt } from "../classroom/membership.js";
import { button } from "../layer/help.js";
import { element, filled } from "../maps/mosaic.js";
import { StudentList } from "./students.js";

export class ClassBar {
  drawn = "";
  ending = false; // whether the teacher is asked once more

  /**
   * @param {HTMLElement} root
   * @param {import("../classroom/classroom.js").Classroom} classroom
   * @param {{show: () => void, plans: () => void, opener: HTMLElement}} board - with the code
   * @param {{open: () => void}} asks - where the teacher asks
   */
  constructor(root, classroom, board, asks) {
    this.classroom = classroom;
    this.asks = asks;
    this.board = board;
    this.root = root;
    this.root.classList.add("lg-class-bar");
    this.root.hidden = true;
    this.said = element("p", "lg-class-said");
    this.said.setAttribute("role", "status");
    this.doing = element("div", "lg-class-doing");
    this.doing.onkeydown = (event) => this.pressed(event);
    this.root.append(this.said, this.doing);
    this.students = new StudentList(root, classroom);
    this.stop = classroom.hear(() => this.show());
  }

  show() {
    const { now, page, returning } = this.classroom;
    const { role } = now;
    this.root.hidden = role === "none" && !returning.lost;
    document.documentElement.classList.toggle("lg-of-class", page.shared !== null);
    this.ending &&= role === "teacher";
    if (role !== "teacher") this.students.dialog.close(); // a modal list in a hidden bar would keep every click and key to itself
    if (this.root.hidden) return;
    const { words } = page.data;
    this.root.dataset.role = role;
    this.root.dataset.state = stateOf(now);
    this.root.setAttribute("aria-label", words.classroom_bar);
    const text = this.ending ? this.asked(words) : role === "teacher" ? this.taught(words) : this.studied(words);
    if (this.said.textContent !== text) this.said.textContent = text;
    this.offer(this.ending ? this.endings(words) : role === "teacher" ? this.teachers(words) : this.followers(words));
    this.students.show(words);
  }

  // The teacher's text.
  /** @param {Words} words */
  taught(words) {
    const { now } = this.classroom;
    const { following, alone } = counts(now.students);
    const lead = now.state?.lead ?? 0;
    const parts = [
      !now.connected && words.classroom_lost, now.state?.frozen && words.classroom_is_frozen,
      lead && filled(words.classroom_student_leads, { number: lead }), !now.following && words.classroom_alone,
      filled(words.classroom_following, { count: following }), alone && filled(words.classroom_looking, { count: alone }),
    ];
    return parts.filter(Boolean).join(" · ");
  }

  // The student's text.
  /** @param {Words} words */
  studied(words) {
    const { now } = this.classroom;
    if (now.role === "none" || !now.connected) return words.classroom_lost;
    if (leads(now)) return words.classroom_you_lead;
    if (!now.following) return words.classroom_alone;
    if (now.state?.frozen) return words.classroom_frozen_here;
    const lead = now.state?.lead ?? 0;
    return lead ? filled(words.classroom_student_leads, { number: lead }) : words.classroom_you_follow;
  }

  /** @type {(words: Words) => Offer[]} */
  teachers(words) {
    const { classroom } = this;
    const { now } = classroom;
    const frozen = now.state?.frozen ?? false;
    const hands = now.students.filter(({ hand }) => hand).length;
    return [
      { part: "class_code", text: filled(words.classroom_code_is, { code: spelt(now.code) }), title: words.classroom_board_title, act: () => this.board.show() },
      ...this.backTo(words),
      { part: "class_ask", text: words.asking_ask, title: words.asking_ask_title, act: () => this.asks.open() },
      { part: "class_freeze", text: frozen ? words.classroom_thaw : words.classroom_freeze, title: words.classroom_freeze_title, pressed: frozen, act: () => classroom.order({ do: frozen ? "thaw" : "freeze" }) },
      { part: "class_point", text: words.classroom_point, title: words.classroom_point_title, pressed: classroom.pointing, act: () => classroom.letPoint(!classroom.pointing) },
      { part: "class_plans", text: words.plan_button, title: words.plan_button_title, act: () => this.board.plans() },
      { part: "class_students", text: hands ? filled(words.classroom_hands, { count: hands }) : words.classroom_students, title: words.classroom_students_title, act: () => this.students.open() },
      ...(now.state?.lead ? [{ part: "class_take_back", text: words.classroom_take_back, act: () => classroom.order({ do: "lead", student: 0 }) }] : []),
      ...(classroom.asking.now.results ? [this.results("class_results", words)] : []),
      { part: "class_end", text: words.classroom_end, act: () => this.askToEnd(true) },
    ];
  }

  /** @type {(part: string, words: Words) => Offer} */
  results(part, words) {
    return { part, text: words.asking_results, href: this.classroom.asking.results };
  }

  // --- The end of a class, which a slip must not bring ---------------------------------------------------------------

  get hasAnswers() {
    const { results, answers } = this.classroom.asking.now;
    return results || answers.length > 0;
  }

  /** @param {Words} words */
  asked(words) {
    const count = this.classroom.now.students.length;
    const question = count ? filled(words.classroom_end_ask, { count }) : words.classroom_end_ask_nobody;
    return this.hasAnswers ? `${question} ${words.classroom_end_answers}` : question;
  }

  /** @type {(words: Words) => Offer[]} */
  endings(words) {
    return [
      { part: "class_end_now", text: words.classroom_end, act: () => this.end() },
      ...(this.hasAnswers ? [this.results("class_end_results", words)] : []),
      { part: "class_end_cancel", text: words.classroom_end_cancel, act: () => this.askToEnd(false) },
    ];
  }

  /** @param {boolean} ending */
  askToEnd(ending) {
    this.ending = ending;
    this.show();
    this.focus(ending ? "class_end_cancel" : "class_end");
  }

  // The question is answered; the class is over once the server has heard it.
  async end() {
    this.askToEnd(false);
    await this.classroom.end();
    this.board.opener.focus();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (!this.ending || event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation(); // it is no word to the page
    this.askToEnd(false);
  }

  // --- The buttons ---------------------------------------------------------------------------------------------------

  /** @type {(words: Words) => Offer[]} */
  followers(words) {
    const { classroom } = this;
    const { now } = classroom;
    const led = leads(now);
    if (now.role === "none") return [{ part: "class_leave", text: words.classroom_leave, act: () => classroom.leave() }];
    return [
      ...this.backTo(words),
      ...(led ? [{ part: "class_point", text: words.classroom_point, title: words.classroom_point_title, pressed: classroom.pointing, act: () => classroom.letPoint(!classroom.pointing) }] : []),
      ...(led ? [] : [{ part: "class_own", text: now.own ? words.classroom_use_shared : words.classroom_use_own, title: words.classroom_own_title, act: () => classroom.useOwn(!now.own) }]),
      ...(led ? [] : [{ part: "class_hand", text: words.classroom_hand, title: filled(words.classroom_hand_title, { number: now.number }), pressed: now.hand, act: () => classroom.raise(!now.hand) }]),
      { part: "class_leave", text: words.classroom_leave, act: () => classroom.leave() },
    ];
  }

  /** @type {(words: Words) => Offer[]} */
  backTo(words) {
    const { classroom } = this;
    if (classroom.now.following || leads(classroom.now)) return [];
    return [{ part: "class_back", text: words.classroom_back, title: words.classroom_back_title, key: "F", act: () => classroom.back() }];
  }

  // The buttons; those that are there already stay, and keep the focus.
  /** @param {Offer[]} offers */
  offer(offers) {
    const parts = offers.map(({ part }) => part).join(" ");
    if (parts !== this.drawn) {
      const held = document.activeElement instanceof HTMLElement && this.doing.contains(document.activeElement) ? document.activeElement.dataset.part : "";
      this.doing.replaceChildren(...offers.map(({ part, href }) => {
        const made = href ? element("a", "lg-class-button") : button("lg-class-button", "", () => {});
        made.dataset.part = part;
        return made;
      }));
      this.drawn = parts;
      if (held) this.focus(held);
    }
    [...this.doing.children].forEach((made, place) => { if (made instanceof HTMLElement) write(made, offers[place]); });
  }

  /** @param {string} part - whose button, or the first one if it is there no more */
  focus(part) {
    /** @type {?HTMLElement} */
    const found = this.doing.querySelector(`[data-part="${part}"]`) ?? this.doing.querySelector("[data-part]");
    found?.focus({ preventScroll: true });
  }

  close() {
    this.stop();
    this.students.close();
  }
}

/** @typedef {{part: string, text: string, title?: string, key?: string, pressed?: boolean, act?: () => void, href?: string}} Offer */

/** @type {(made: HTMLElement, offer: Offer) => void} */
function write(made, { text, title = "", key = "", pressed, act, href }) {
  if (made.dataset.text !== text) {
    made.replaceChildren(...(key ? [element("kbd", "", key)] : []), text);
    made.dataset.text = text;
  }
  made.title = title;
  if (made instanceof HTMLAnchorElement) Object.assign(made, { href, download: "" });
  made.onclick = act ?? null;
  if (pressed === undefined) made.removeAttribute("aria-pressed");
  else made.setAttribute("aria-pressed", String(pressed));
  if (key) made.setAttribute("aria-keyshortcuts", key);
}

/** @param {Readonly<import("../classroom/membership.js").Membership>} now */
function stateOf(now) {
  if (now.role === "none" || !now.connected) return "lost";
  if (leads(now)) return now.state?.frozen ? "frozen" : "leads";
  return follows(now) ? "follows" : "alone";
}
