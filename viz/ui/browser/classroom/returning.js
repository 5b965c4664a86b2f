// Into a class by a link, and back into it after a reload or after the server has forgotten the page.

import { codeIn, keptClass } from "./kept_class.js";

export class Returning {
  /** @param {import("./classroom.js").Classroom} classroom */
  constructor(classroom) {
    this.classroom = classroom;
    this.code = codeIn(window.location.search); // before the page writes its own address
  }

  // A link leads into a class, and a reload back into it.
  begin() {
    const kept = keptClass();
    if (this.code) this.arrive(this.code);
    else if (kept) this.again(kept);
  }

  /** @param {string} code */
  async arrive(code) {
    const kept = keptClass();
    const wrong = await this.classroom.join(code, "", kept?.role === "student" ? kept.secret : "");
    if (wrong) this.classroom.askToJoin(code, wrong);
  }

  // Into the same class again, with the secret that the page was given.
  /** @param {?import("./kept_class.js").KeptClass} kept */
  async again(kept = keptClass()) {
    if (!kept) return;
    const { classroom } = this, { role, code, secret, own } = kept;
    const teaches = role === "teacher";
    const found = await classroom.post(teaches ? "class_take.json" : "class_join.json", teaches ? { right: secret } : { code, ticket: secret });
    if ("error" in found) return void classroom.out(true);
    if ("right" in found) return classroom.opened(found);
    if (!("ticket" in found)) return undefined;
    classroom.happened({ type: "joined", code: found.code, secret: found.ticket, number: found.number });
    classroom.happened({ type: "own", own });
    classroom.listen();
    classroom.say();
    return undefined;
  }
}
