// The board of a class, to be read from the last row. It first explains how to open or join a class, then shows its
// code and QR code.

import { counts, spelt } from "../classroom/membership.js";
import { button } from "../layer/help.js";
import { addressOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { paragraph, said, withMore } from "../maps/said.js";
import { closeBeside } from "../page/dialog.js";

export class ClassBoard {
  address = ""; // the one that is shown of several

  /**
   * @param {HTMLElement} parent
   * @param {HTMLButtonElement} opener
   * @param {import("../classroom/classroom.js").Classroom} classroom
   * @param {() => void} plans - shows lesson plans
   */
  constructor(parent, opener, classroom, plans) {
    this.plans = plans;
    this.classroom = classroom;
    this.opener = opener;
    this.dialog = element("dialog", "lg-class-dialog lg-class-board");
    this.dialog.setAttribute("aria-labelledby", "lg-class-title");
    closeBeside(this.dialog);
    parent.append(this.dialog);
    opener.onclick = () => this.show();
    classroom.askToJoin = (code, wrong) => this.show({ code, wrong });
    this.stop = classroom.hear(() => this.keepUp());
  }

  /** @param {{code: string, wrong: ?Answer}} [asked] */
  show(asked) {
    const { now, page: { data: { words } } } = this.classroom;
    const inside = element("div", "lg-help-page");
    const head = element("header");
    const title = element("h2", "", now.role === "teacher" ? words.classroom_board : words.classroom_title);
    title.id = "lg-class-title";
    head.append(title, button("lg-help-close", words.close, () => this.dialog.close()));
    inside.append(head, now.role === "teacher" ? this.drawn(words) : this.doors(words, asked));
    this.dialog.replaceChildren(inside);
    this.dialog.dataset.role = now.role;
    if (!this.dialog.open) this.dialog.showModal();
    this.keepUp();
    /** @type {?HTMLElement} */
    const first = this.dialog.querySelector("[data-first]");
    first?.focus();
  }

  // --- Before a class ----------------------------------------------------------------------------------------------

  /** @type {(words: Words, asked?: {code: string, wrong: ?Answer}) => HTMLElement} */
  doors(words, asked) {
    const doors = element("div", "lg-class-doors");
    doors.append(this.joinForm(words, asked), this.openForm(words), this.plansRow(words));
    return doors;
  }

  /** @param {Words} words */
  openForm(words) {
    const { root, wrong } = formOf(words.classroom_teach, withMore(words.classroom_teach_text, "teaching#how-do-i-start-a-class", words), async (fields) => {
      const refusal = await this.classroom.open(fields.password.value);
      wrong.textContent = refusal ? said(refusal, "error", words) : "";
      if (!refusal) this.show();
    });
    root.append(field("password", words.classroom_password_maybe, { autocomplete: "off", maxLength: 100 }), submit("class_open", words.classroom_open), wrong);
    return root;
  }

  // A lesson can be rehearsed without a class.
  /** @param {Words} words */
  plansRow(words) {
    const root = element("div", "lg-class-plans");
    const open = button("", words.plan_button, () => {
      this.dialog.close();
      this.plans();
    });
    open.dataset.part = "class_plans";
    root.append(element("p", "", words.plan_board_text), open);
    return root;
  }

  /** @type {(words: Words, asked?: {code: string, wrong: ?Answer}) => HTMLElement} */
  joinForm(words, asked) {
    const { root, wrong } = formOf(words.classroom_join, [words.classroom_join_text], async (fields) => {
      const refusal = await this.classroom.join(fields.code.value, fields.password.value);
      wrong.replaceChildren(...notJoined(refusal, words));
      if (refusal) fields.code.focus();
      else this.dialog.close();
    });
    const code = field("code", words.classroom_code, { autocomplete: "off", autocapitalize: "characters", spellcheck: false, maxLength: 40, required: true, value: asked?.code ?? "" });
    code.querySelector("input")?.setAttribute("data-first", "");
    wrong.append(...notJoined(asked?.wrong, words));
    root.append(code, field("password", words.classroom_password_if, { autocomplete: "off", maxLength: 100 }), submit("class_join", words.classroom_join_button), wrong);
    return root;
  }

  // --- The board of a class ----------------------------------------------------------------------------------------

  /** @param {Words} words */
  drawn(words) {
    const { addresses } = this.classroom;
    const board = element("div", "lg-class-drawn");
    if (!addresses.includes(this.address)) this.address = addresses[0] ?? "";
    const how = element("div", "lg-class-how");
    if (this.address) {
      const picture = element("img", "lg-class-qr");
      picture.src = addressOf(this.classroom.page.mine.subject, "class_qr.svg", new URLSearchParams({ address: this.link }).toString());
      picture.alt = filled(words.classroom_qr, { address: this.link });
      board.append(picture);
      how.append(element("p", "lg-class-step", words.classroom_step_address), element("p", "lg-class-address", bare(this.address)));
      if (addresses.length > 1) how.append(this.choice(words));
    } else how.append(...this.closed(words));
    const code = element("p", "lg-class-code", spelt(this.classroom.now.code));
    code.setAttribute("aria-label", [...this.classroom.now.code].join(" "));
    this.count = element("p", "lg-class-count");
    this.count.setAttribute("role", "status");
    const begin = button("lg-primary", words.classroom_begin, () => this.dialog.close());
    begin.dataset.part = "class_begin";
    begin.dataset.first = "";
    how.append(element("p", "lg-class-step", words.classroom_step_code), code, this.count, begin);
    board.append(how);
    return board;
  }

  // Nobody can join yet: what the teacher does about it.
  /** @param {Words} words */
  closed(words) {
    const { command } = this.classroom;
    const notice = paragraph(withMore(command ? words.classroom_only_here : words.classroom_no_address, "teaching#why-can-nobody-open-the-address", words), "lg-notice");
    return command ? [notice, element("code", "lg-class-command", command), element("p", "lg-class-then", words.classroom_then)] : [notice];
  }

  get link() {
    return `${this.address}?class=${this.classroom.now.code}`;
  }

  /** @param {Words} words */
  choice(words) {
    const label = element("label", "lg-class-choice", words.classroom_addresses);
    const select = element("select");
    for (const each of this.classroom.addresses) select.append(new Option(bare(each), each, false, each === this.address));
    select.onchange = () => {
      this.address = select.value;
      this.show();
    };
    label.append(select);
    return label;
  }

  // Update the number of students.
  keepUp() {
    const { now, page } = this.classroom;
    if (!this.dialog.open || this.dialog.dataset.role !== "teacher") return;
    if (now.role !== "teacher") return void this.dialog.close();
    const { following, alone } = counts(now.students);
    const text = filled(page.data.words.classroom_here, { count: following + alone });
    if (this.count && this.count.textContent !== text) this.count.textContent = text;
  }

  close() {
    this.stop();
    this.dialog.remove();
  }
}

/** @param {string} address */
function bare(address) {
  return address.replace(/^http:\/\//, "").replace(/\/$/, "");
}

/** @type {(refusal: ?Answer | undefined, words: Words) => (string | HTMLElement)[]} */
function notJoined(refusal, words) {
  return refusal ? withMore(said(refusal, "error", words), "teaching#how-do-students-join", words) : [];
}

/** @type {(title: string, text: (string | HTMLElement)[], act: (fields: Record<string, HTMLInputElement>) => void) => {root: HTMLFormElement, wrong: HTMLElement}} */
function formOf(title, text, act) {
  const root = element("form", "lg-class-form");
  const wrong = element("p", "lg-class-wrong");
  wrong.setAttribute("role", "alert");
  root.append(element("h3", "", title), paragraph(text));
  root.onsubmit = (event) => {
    event.preventDefault();
    act(Object.fromEntries([...root.querySelectorAll("input")].map((each) => [each.name, each])));
  };
  return { root, wrong };
}

/** @type {(name: string, text: string, more: Partial<HTMLInputElement>) => HTMLElement} */
function field(name, text, more) {
  const label = element("label", "", text);
  const input = element("input");
  Object.assign(input, { name, type: "text", ...more });
  label.append(input);
  return label;
}

/** @type {(part: string, text: string) => HTMLElement} */
function submit(part, text) {
  const made = element("button", "lg-primary", text);
  made.type = "submit";
  made.dataset.part = part;
  return made;
}
