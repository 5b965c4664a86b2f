// A class on this page: the leader's look is shared, and the others follow it. Its state is in membership.js; here it
// is sent to the server, and put into effect.

import { Line } from "../class_line/line.js";
import { Sender } from "../class_line/sender.js";
import { ClassServer, untilHeard } from "../class_line/server.js";
import { lookToQuery } from "../look/look.js";
import { addressOf } from "../maps/addresses.js";
import { said } from "../maps/said.js";
import { Asking } from "./asking.js";
import { hidesShapes } from "./asking_state.js";
import { keepClass } from "./kept_class.js";
import { follows, leads, OUTSIDE, step } from "./membership.js";
import { Returning } from "./returning.js";
import { Sharing } from "./sharing.js";

const JOIN_AGAIN_MS = 1000;

/** @typedef {import("./membership.js").Membership} Membership */

export class Classroom {
  /** @type {Readonly<Membership>} */
  now = OUTSIDE;

  /** @type {?Line} */
  line = null;

  /** @type {?PointerPosition} */
  pointed = null;

  shown = ""; // what the class was told last
  begun = false;
  ending = false; // whether the teacher has ended the class, but the server has not heard that yet
  pointing = false; // whether the pointer is shown to all, if this page leads
  /** @type {readonly string[]} */
  addresses = []; // where students find the page

  command = ""; // starts the page so that they do, if nobody does
  /** @type {Set<() => void>} */
  listeners = new Set();

  /**
   * @param {StagePage} page
   * @param {string} code - of the class whose link has led here
   */
  constructor(page, code) {
    this.page = page;
    this.server = new ClassServer(page);
    this.sharing = new Sharing(this);
    this.returning = new Returning(this, code);
    this.looks = new Sender((/** @type {ShowLook} */ shown) => this.tell("class_show.json", shown));
    this.asking = new Asking(this);
    this.points = new Sender((/** @type {?PointerPosition} */ at) => this.tell("class_point.json", { at }));
    this.sayings = new Sender((/** @type {StudentSays} */ said) => this.tell("class_say.json", said, this.now.role === "student"));
    this.stops = [
      page.store.subscribe((look, before, chosen) => this.lookChanged(look, before, chosen)),
      page.listen(() => this.pageTold()),
    ];
    page.ownTaken = (before) => this.ownTaken(before);
    page.captionChanged = () => {
      this.veil();
      this.show();
    };
  }

  // --- What the visitor does ---------------------------------------------------------------------------------------

  // Open a class; returns the refusal, if any.
  /** @type {(password: string) => Promise<?Answer>} */
  async open(password) {
    const found = await this.post("class_open.json", { look: this.look(), password });
    if ("error" in found || !("right" in found)) return found;
    this.opened(found);
    return null;
  }

  // Join a class; returns the refusal, if any.
  /** @type {(code: string, password?: string) => Promise<?Answer>} */
  async join(code, password = "") {
    const found = await this.post("class_join.json", { code, password });
    if ("error" in found || !("ticket" in found)) return found;
    this.joined(found);
    return null;
  }

  back() {
    if (this.now.role === "none" || this.now.following) return false;
    this.happened({ type: "back" });
    this.sharing.wanted = "";
    this.say();
    this.sharing.bring();
    return true;
  }

  /** @param {boolean} own */
  useOwn(own) {
    this.happened({ type: "own", own });
    if (own) this.sharing.unshare();
    this.sharing.bring();
  }

  /** @param {boolean} hand */
  raise(hand) {
    this.happened({ type: "hand", hand });
    this.say();
  }

  leave() {
    this.post("class_leave.json", {});
    this.out();
  }

  /** @type {(order: {do: ClassroomOrder["do"], student?: number}) => Promise<void>} */
  async order(order) {
    const found = await this.post("class_order.json", order);
    if ("error" in found) this.page.say(said(found, "error", this.page.data.words), found.document);
  }

  // End the class. The page stays in it until the server has heard that: everybody else does.
  async end() {
    if (this.ending) return;
    this.ending = true;
    const heard = await untilHeard(() => this.server.heard("class_order.json", { do: "end" }), {
      wanted: () => this.ending,
      failed: () => this.page.say(this.page.data.words.classroom_ends_later),
    });
    if (heard) this.out();
  }

  /** @param {boolean} pointing */
  letPoint(pointing) {
    this.pointing = pointing;
    if (!pointing) this.point(null);
    this.saidSo();
  }

  // Ask the class a question; returns the refusal, if any.
  /** @type {(question: import("./asking.js").NewQuestion) => Promise<?Answer>} */
  ask(question) {
    return this.asking.ask(question);
  }

  // Take the question away.
  unask() {
    return this.asking.unask();
  }

  // Show the right answer.
  reveal() {
    return this.asking.reveal();
  }

  /** @param {?PointerPosition} at */
  point(at) {
    if (leads(this.now)) this.points.send(at);
  }

  // --- What happens ------------------------------------------------------------------------------------------------

  /** @param {import("./membership.js").Happening} happening */
  happened(happening) {
    const before = this.now;
    this.now = step(before, happening);
    if (this.now === before) return;
    const { role, code, secret, own } = this.now;
    keepClass(role === "none" ? null : { role, code, secret, own });
    this.saidSo();
  }

  saidSo() {
    this.veil();
    for (const act of this.listeners) act();
  }

  /** @param {ClassroomOpened} found */
  opened(found) {
    Object.assign(this, { addresses: found.addresses, command: found.command });
    this.shown = "";
    this.enter({ type: "opened", code: found.code, secret: found.right });
    this.show();
  }

  /** @param {ClassroomJoined} found */
  joined({ code, ticket, number }) {
    this.enter({ type: "joined", code, secret: ticket, number });
  }

  // Into a class: of another one nothing stays.
  /** @param {Extract<import("./membership.js").Happening, {code: string}>} happening */
  enter(happening) {
    const { role, code } = this.now;
    this.returning.stop();
    if (role !== "none" && code !== happening.code) this.quit();
    this.sharing.shared = 0; // the address of the teacher's subject may be another one
    if (this.now.role === "none" && happening.type === "joined") this.page.store.join();
    this.happened(happening);
    this.listen();
  }

  listen() {
    this.line?.close();
    const line = this.line = new Line(addressOf(this.page.mine.subject, "class_events"), {
      look: (state) => this.looked(state),
      point: ({ at }) => this.pointedAt(at),
      roster: (told) => this.happened({ type: "roster", ...told }),
      question: (told) => this.asking.asked(told),
      answers: (told) => this.asking.given(told),
      end: ({ removed }) => this.out(this.farewell(Boolean(removed))),
      moved: (why) => this.out(said(why, "error", this.page.data.words), why.document),
      line: (connected) => this.happened({ type: "line", connected }),
      refused: () => setTimeout(() => { if (this.line === line) this.returning.again(); }, JOIN_AGAIN_MS),
    });
  }

  /** @param {ClassroomState} state */
  looked(state) {
    const { now: before } = this;
    this.happened({ type: "look", state });
    if (!leads(this.now)) return void this.sharing.bring();
    if (!leads(before) || before.state?.frozen) this.shown = ""; // what is on screen here, the class has not seen
    return void this.sharing.lead(state);
  }

  /** @param {?PointerPosition} at */
  pointedAt(at) {
    this.pointed = at;
    this.saidSo();
  }

  /** @type {(look: Look, before: Look, chosen: boolean) => void} */
  lookChanged(look, before, chosen) {
    if (!chosen || lookToQuery({ ...look, present: before.present }) === lookToQuery(before)) return;
    this.wander();
  }

  // Stop following after a step of one's own.
  wander() {
    if (!follows(this.now)) return;
    this.happened({ type: "chosen" });
    this.say();
  }

  // The page has told its parts of a look, or of a subject.
  pageTold() {
    this.sharing.ownTold();
    if (!this.begun) return this.begin();
    return this.show();
  }

  // Python has sent a subject of the visitor's own while that of the teacher is on screen: another picture, which the
  // visitor has chosen, unless it is only another visit's.
  /** @param {SubjectFacts} before */
  async ownTaken(before) {
    if (before.subject === this.page.mine.subject) this.sharing.shared = 0; // in another language
    else if (await this.returning.isInside()) return this.useOwn(true);
    return this.sharing.bring();
  }

  // --- What follows from it ----------------------------------------------------------------------------------------

  begin() {
    this.begun = true;
    this.returning.begin();
    return undefined;
  }

  // Open the form for codes; set by its owner.
  /** @type {(code: string, wrong: ?Answer) => void} */
  askToJoin = () => {};

  // Share the screen, if this page leads and the others do not see it yet.
  show() {
    if (!leads(this.now) || this.now.state?.frozen) return this.looks.drop();
    const look = this.look(), { caption, hides } = this.page;
    const shown = JSON.stringify([this.page.mine.subject, look, caption, hides]);
    if (shown === this.shown) return undefined;
    this.shown = shown;
    return this.looks.send({ look, caption, hides });
  }

  // Hide sizes while a question of the class asks for one, and what the teacher's lesson hides.
  veil() {
    const { role, state } = this.now;
    const hides = [hidesShapes(this.asking.now) ? "sizes" : "", this.page.hides, (role === "student" && state?.hides) || ""];
    this.page.veil(hides.includes("sizes") ? "sizes" : hides.includes("figures") ? "figures" : "");
  }

  say() {
    const { role, following, hand } = this.now;
    if (role === "student") this.sayings.send({ following, hand });
  }

  // Text for a student whose class is over, or whom the teacher has removed.
  /** @param {boolean} removed */
  farewell(removed) {
    const { words } = this.page.data;
    if (this.now.role !== "student") return "";
    return removed ? words.classroom_removed : words.classroom_over;
  }

  // Out of the class, because the visitor wants it, or for a reason that is said.
  out(why = "", document = "") {
    this.returning.stop();
    this.quit();
    keepClass(null);
    this.saidSo();
    if (why) this.page.say(why, document);
  }

  // Remove everything of the class from this page.
  quit() {
    this.line?.close();
    Object.assign(this, { line: null, pointed: null, shown: "", ending: false });
    this.looks.drop();
    this.points.drop();
    this.sayings.drop();
    this.asking.out();
    this.happened({ type: "out" });
    if (this.page.shared) this.sharing.unshare();
    this.page.store.leave();
  }

  look() {
    return lookToQuery({ ...this.page.store.get(), present: false, embed: false });
  }

  /** @type {(question: "class_show.json" | "class_point.json" | "class_say.json", told: object, wanted?: boolean) => Promise<boolean>} */
  async tell(question, told, wanted = leads(this.now)) {
    return !wanted || this.server.tell(question, told);
  }

  /**
   * Post to the server and return its answer; an error if there is none.
   * @template {keyof Answers} Question
   * @param {Question} question
   * @param {object} told
   */
  post(question, told) {
    return this.server.post(question, told);
  }

  /** @type {(question: keyof Answers, told: object) => Promise<Response>} */
  posted(question, told) {
    return this.server.posted(question, told);
  }

  /** Hear of each change; what is returned ends it. @param {() => void} act */
  hear(act) {
    this.listeners.add(act);
    return () => this.listeners.delete(act);
  }

  close() {
    this.line?.close();
    this.stops.forEach((stop) => stop());
  }
}
