// A class on this page: what its teacher looks at, this page shows, or the other way round. What the page is in it stands
// in membership.js; here it is said to the server, and done.

import { addressOf } from "../maps/addresses.js";
import { lookFromQuery, lookToQuery } from "../look/look.js";
import { asked, ASK_AGAIN_MS } from "../page/asking.js";
import { Asking } from "./asking.js";
import { codeIn, keepClass, keptClass } from "./kept_class.js";
import { Line } from "./line.js";
import { follows, leads, onShared, OUTSIDE, step } from "./membership.js";
import { Sender } from "./sender.js";

const JOIN_AGAIN_MS = 1000;
const TOO_OFTEN = 429;

/** @typedef {import("./membership.js").Membership} Membership */

export class Classroom {
  /** @type {Readonly<Membership>} */
  now = OUTSIDE;

  /** @type {?Line} */
  line = null;

  /** @type {?PointedAt} */
  pointed = null;

  shown = ""; // what the class was told last
  shared = 0; // which of the teacher's subjects is on screen; 0 for none
  subject = ""; // on screen
  wanted = ""; // the model that Python was asked for
  begun = false;
  pointing = false; // whether the pointer is shown to all, if this page leads
  /** @type {readonly string[]} */
  addresses = []; // where students find the page
  bringing = false; // whether the page is on its way to what the leader looks at
  /** @type {Set<() => void>} */
  listeners = new Set();

  /** @param {StagePage} page */
  constructor(page) {
    this.page = page;
    this.code = codeIn(window.location.search); // before the page writes its own address
    this.looks = new Sender((/** @type {ShowLook} */ shown) => this.tell("class_show.json", shown));
    this.asking = new Asking(this);
    this.points = new Sender((/** @type {?PointedAt} */ at) => this.tell("class_point.json", { at }));
    this.sayings = new Sender((/** @type {StudentSays} */ said) => this.tell("class_say.json", said, this.now.role === "student"));
    this.stops = [
      page.store.subscribe((look, before, chosen) => this.lookChanged(look, before, chosen)),
      page.listen(() => this.pageTold()),
    ];
    page.ownTaken = (before) => this.ownTaken(before);
    page.asideChanged = (chosen) => this.asideChanged(chosen);
    page.captionChanged = () => this.show();
  }

  // --- What the visitor does ---------------------------------------------------------------------------------------

  // Open a class; what is wrong, if anything.
  /** @type {(password: string) => Promise<?Answer>} */
  async open(password) {
    const found = await this.post("class_open.json", { look: this.look(), password });
    if ("error" in found || !("right" in found)) return found;
    this.opened(found);
    return null;
  }

  // Join a class; what is wrong, if anything.
  /** @type {(code: string, password?: string, ticket?: string) => Promise<?Answer>} */
  async join(code, password = "", ticket = "") {
    const found = await this.post("class_join.json", { code, password, ticket });
    if ("error" in found || !("ticket" in found)) return found;
    this.happened({ type: "joined", code: found.code, secret: found.ticket, number: found.number });
    this.listen();
    return null;
  }

  back() {
    if (this.now.role === "none" || this.now.following) return false;
    this.happened({ type: "back" });
    this.say();
    this.bring();
    return true;
  }

  /** @param {boolean} own */
  useOwn(own) {
    this.happened({ type: "own", own });
    if (own) this.unshare();
    this.bring();
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

  /** @type {(order: {do: ClassroomOrder["do"], student?: number}) => Promise<unknown>} */
  order(order) {
    return this.post("class_order.json", order);
  }

  async end() {
    await this.order({ do: "end" });
    this.out();
  }

  /** @param {boolean} pointing */
  letPoint(pointing) {
    this.pointing = pointing;
    if (!pointing) this.point(null);
    this.saidSo();
  }

  // Ask the class a question; what is wrong, if anything.
  /** @type {(question: import("./asking.js").NewQuestion) => Promise<?Answer>} */
  ask(question) {
    return this.asking.ask(question);
  }

  // Take the question away.
  unask() {
    return this.asking.unask();
  }

  // Show what is right.
  reveal() {
    return this.asking.reveal();
  }

  /** @param {?PointedAt} at */
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
    for (const act of this.listeners) act();
  }

  /** @param {ClassroomOpened} found */
  opened(found) {
    this.addresses = found.addresses;
    this.shown = "";
    this.happened({ type: "opened", code: found.code, secret: found.right });
    this.listen();
    this.show();
  }

  listen() {
    this.line?.close();
    this.line = new Line(addressOf(this.page.mine.subject, "class_events"), {
      look: (state) => this.looked(state),
      point: ({ at }) => this.pointedAt(at),
      roster: (told) => this.happened({ type: "roster", ...told }),
      question: (told) => this.asking.asked(told),
      answers: (told) => this.asking.given(told),
      end: ({ removed }) => this.out(true, removed),
      line: (connected) => this.happened({ type: "line", connected }),
      refused: () => setTimeout(() => this.again(), JOIN_AGAIN_MS),
    });
  }

  /** @param {ClassroomState} state */
  looked(state) {
    const { now: before } = this;
    this.happened({ type: "look", state });
    if (!leads(this.now)) return void this.bring();
    if (!leads(before) || before.state?.frozen) this.shown = ""; // what is on screen here, the class has not seen
    return void this.lead(state);
  }

  // A student leads on the teacher's picture, whatever was on screen before.
  /** @param {ClassroomState} state */
  async lead(state) {
    while (onShared(this.now) && leads(this.now) && this.shared !== state.shared && await this.share());
    this.show();
  }

  /** @param {?PointedAt} at */
  pointedAt(at) {
    this.pointed = at;
    this.saidSo();
  }

  /** @type {(look: Look, before: Look, chosen: boolean) => void} */
  lookChanged(look, before, chosen) {
    if (!chosen || lookToQuery({ ...look, present: before.present }) === lookToQuery(before)) return;
    this.wander();
  }

  // The visitor has opened a number, or closed it.
  /** @param {boolean} chosen */
  asideChanged(chosen) {
    if (leads(this.now)) this.show();
    else if (chosen) this.wander();
  }

  // Whoever does something else than the leader looks around alone.
  wander() {
    if (!follows(this.now)) return;
    this.happened({ type: "chosen" });
    this.page.ledTo(null);
    this.say();
  }

  // The page has told its parts of a look, or of a subject.
  pageTold() {
    const { subject } = this.page.data, other = subject !== this.subject;
    this.subject = subject;
    if (!this.begun) return this.begin();
    if (other) this.bring(); // the visitor's own picture in the model that was asked for
    return this.show();
  }

  // Python has sent another subject of the visitor's own while that of the teacher is on screen.
  /** @param {SubjectFacts} before */
  ownTaken(before) {
    if (before.subject !== this.page.mine.subject) this.useOwn(true);
    else this.shared = 0; // in another language
    this.bring();
  }

  // --- What follows from it ----------------------------------------------------------------------------------------

  // A link leads into a class, and a reload back into it.
  begin() {
    this.begun = true;
    const kept = keptClass();
    if (this.code) this.arrive(this.code);
    else if (kept) this.again(kept);
    return undefined;
  }

  /** @param {string} code */
  async arrive(code) {
    const kept = keptClass();
    const wrong = await this.join(code, "", kept?.role === "student" ? kept.secret : "");
    if (wrong) this.askToJoin(code, wrong);
  }

  // Whoever shows a form for codes sets this.
  /** @type {(code: string, wrong: ?Answer) => void} */
  askToJoin = () => {};

  // Into the same class again, with the secret that the page was given.
  /** @param {?import("./kept_class.js").KeptClass} kept */
  async again(kept = keptClass()) {
    if (!kept) return;
    const { role, code, secret, own } = kept;
    const teaches = role === "teacher";
    const found = await this.post(teaches ? "class_take.json" : "class_join.json", teaches ? { right: secret } : { code, ticket: secret });
    if ("error" in found) return void this.out(true);
    if ("right" in found) return this.opened(found);
    if (!("ticket" in found)) return undefined;
    this.happened({ type: "joined", code: found.code, secret: found.ticket, number: found.number });
    this.happened({ type: "own", own });
    this.listen();
    this.say();
    return undefined;
  }

  // What is on screen, for all to see, if this page leads and they do not see it yet.
  show() {
    if (!leads(this.now) || this.now.state?.frozen) return this.looks.drop();
    const look = this.look(), { aside: { cell }, caption } = this.page;
    const shown = JSON.stringify([this.page.mine.subject, cell, look, caption]);
    if (shown === this.shown) return undefined;
    this.shown = shown;
    return this.looks.send({ look, cell, caption });
  }

  // Bring the page to what the leader looks at; a newer look that comes meanwhile is next.
  async bring() {
    if (this.bringing) return;
    this.bringing = true;
    while (follows(this.now) && await this.broughtOn());
    this.bringing = false;
  }

  // One step on the way; false if there is nothing more to do for now.
  async broughtOn() {
    const { state } = this.now;
    if (!state) return false;
    if (onShared(this.now) && this.shared !== state.shared) return this.share();
    if (!onShared(this.now) && this.now.role === "student" && this.isOtherModel(state)) return this.askForModel(state);
    this.page.followLook({ ...lookFromQuery(state.look).look, present: this.page.store.get().present });
    this.page.ledTo({ cell: state.cell });
    return this.now.state !== state;
  }

  // The teacher's subject in place of the visitor's own.
  async share() {
    const { words, subject } = this.page.mine;
    let found;
    try {
      found = await (await asked(addressOf(subject, "class_subject.json", `lang=${words.language_code}`))).json();
    } catch {
      await new Promise((go) => { setTimeout(go, ASK_AGAIN_MS); });
      return true;
    }
    if (!found.subject || !onShared(this.now)) return Boolean(found.subject);
    this.shared = found.shared;
    this.page.share(found.subject);
    return true;
  }

  unshare() {
    this.shared = 0;
    this.page.share(null);
  }

  /** @param {ClassroomState} state */
  isOtherModel({ model, weights }) {
    const { address } = this.page.mine;
    return weights !== "" && (address.model !== model || address.weights !== weights);
  }

  // The visitor's own picture in the teacher's model, which Python has to load; it is brought on once that is there.
  /** @param {ClassroomState} state */
  askForModel({ model, weights }) {
    const wanted = `${model} ${weights}`;
    if (this.wanted !== wanted) this.page.ask({ ...this.page.mine.address, model, weights });
    this.wanted = wanted;
    return false;
  }

  say() {
    const { role, following, hand } = this.now;
    if (role === "student") this.sayings.send({ following, hand });
  }

  // Out of the class: because the visitor wants it, because it is over, or because the teacher has removed them.
  out(over = false, removed = false) {
    const { role } = this.now;
    this.line?.close();
    Object.assign(this, { line: null, pointed: null, shown: "" });
    this.looks.drop();
    this.points.drop();
    this.sayings.drop();
    this.asking.out();
    if (this.page.shared) this.unshare();
    this.page.ledTo(null);
    keepClass(null);
    this.happened({ type: "out" });
    const { words } = this.page.data;
    if (over && role === "student") this.page.say(removed ? words.classroom_removed : words.classroom_over);
  }

  look() {
    return lookToQuery({ ...this.page.store.get(), present: false });
  }

  /** @type {(question: "class_show.json" | "class_point.json" | "class_say.json", told: object, wanted?: boolean) => Promise<boolean>} */
  async tell(question, told, wanted = leads(this.now)) {
    if (!wanted) return true;
    try {
      const answer = await this.posted(question, told);
      return answer.status !== TOO_OFTEN;
    } catch {
      return false;
    }
  }

  /**
   * What the server answers to what is said; an error if it does not.
   * @template {keyof Answers} Question
   * @param {Question} question
   * @param {object} told
   * @returns {Promise<Answers[Question] | Answer>}
   */
  async post(question, told) {
    try {
      return await (await this.posted(question, told)).json();
    } catch {
      return { error: this.page.data.words.classroom_unreachable };
    }
  }

  /** @type {(question: keyof Answers, told: object) => Promise<Response>} */
  posted(question, told) {
    const { subject, words } = this.page.mine;
    const query = question === "class_quiz.json" && `lang=${words.language_code}`;
    return fetch(addressOf(subject, question, query), { method: "POST", body: JSON.stringify(told) });
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
