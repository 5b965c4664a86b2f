// The leader's subject and look, shown on this page. The subject is the teacher's, or a student's own picture in the
// same model.

import { addressOf } from "../maps/addresses.js";
import { lookFromQuery } from "../look/look.js";
import { asked, ASK_AGAIN_MS } from "../page/asking.js";
import { filled } from "../maps/mosaic.js";
import { worded } from "../page/kept_words.js";
import { follows, leads, onShared } from "./membership.js";

export class Sharing {
  shared = 0; // which of the teacher's subjects is on screen; 0 for none
  wanted = ""; // the model that Python was asked for
  mine = ""; // the visitor's own subject
  model = ""; // its model
  bringing = false; // whether the page is on its way to what the leader looks at

  /** @param {import("./classroom.js").Classroom} classroom */
  constructor(classroom) {
    this.classroom = classroom;
    this.page = classroom.page;
  }

  get now() {
    return this.classroom.now;
  }

  // A student leads on the teacher's picture, whatever was on screen before.
  /** @param {ClassroomState} state */
  async lead(state) {
    while (onShared(this.now) && leads(this.now) && this.shared !== state.shared && await this.share());
    this.classroom.show();
  }

  // Bring the page to the leader's look; a newer one that comes meanwhile is next.
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
    const own = this.now.role === "student" && this.now.own;
    if (own && this.isOtherModel(state)) return this.askForModel(state);
    this.page.followLook({ ...lookFromQuery(state.look).look, present: this.page.store.get().present });
    if (own && !state.weights) this.sayWhoseWeights();
    return this.now.state !== state;
  }

  // The teacher's subject in place of the visitor's own.
  async share() {
    const { words, subject } = this.page.mine, { line } = this.classroom;
    let found;
    try {
      found = await (await asked(addressOf(subject, "class_subject.json", `lang=${words.language_code}`))).json();
      if (found.subject) found = { ...found, subject: await worded(found.subject) };
    } catch {
      await new Promise((go) => { setTimeout(go, ASK_AGAIN_MS); });
      return true;
    }
    if (line !== this.classroom.line) return true; // the page has joined again meanwhile, perhaps another class
    if (!found.subject || !onShared(this.now)) return Boolean(found.subject);
    this.shared = found.shared;
    this.page.share(found.subject);
    return true;
  }

  unshare() {
    this.shared = 0;
    this.page.share(null);
  }

  // The visitor's own subject may be another one than before: in the model that was asked for, and brought on now, or in
  // one that the visitor has chosen.
  async ownTold() {
    const { subject, address } = this.page.mine;
    if (subject === this.mine) return;
    const model = named(address), isOther = model !== this.model;
    const chosen = isOther && this.model !== "" && model !== this.wanted && this.now.own && follows(this.now);
    Object.assign(this, { mine: subject, model, wanted: isOther ? "" : this.wanted });
    if (!chosen) this.bring();
    else if (await this.classroom.returning.isInside()) this.classroom.wander();
  }

  /** @param {ClassroomState} state */
  isOtherModel(state) {
    return state.weights !== "" && named(this.page.mine.address) !== named(state);
  }

  // The teacher's own weights stay with the teacher, so that no other picture can be shown in them.
  sayWhoseWeights() {
    const { words } = this.page.data;
    this.page.say(filled(words.classroom_their_weights, { button: words.classroom_use_shared }), "teaching#what-can-students-do");
  }

  // The visitor's own picture in the teacher's model, which Python has to load; it is brought on once that is there.
  /** @param {ClassroomState} state */
  askForModel({ model, weights }) {
    const wanted = named({ model, weights });
    if (this.wanted !== wanted) this.page.ask({ ...this.page.mine.address, model, weights });
    this.wanted = wanted;
    return false;
  }
}

/** @param {{model?: string, weights?: string}} names */
function named({ model = "", weights = "" }) {
  return `${model} ${weights}`;
}
