// The caption of the teacher's lesson, for pages that follow the class.

import { follows } from "../classroom/membership.js";
import { paragraph } from "./marked.js";

export class Caption {
  said = "";

  /**
   * @param {HTMLElement} root
   * @param {import("../classroom/classroom.js").Classroom} classroom
   */
  constructor(root, classroom) {
    this.root = root;
    this.classroom = classroom;
    this.root.classList.add("lg-caption");
    this.root.setAttribute("role", "status");
    this.root.hidden = true;
    this.stop = classroom.hear(() => this.show());
  }

  show() {
    const { now, page } = this.classroom;
    const said = follows(now) ? now.state?.caption ?? "" : "";
    this.root.hidden = said === "";
    if (said === this.said) return;
    this.said = said;
    this.root.setAttribute("aria-label", page.data.words.plan_caption);
    this.root.replaceChildren(...(said ? said.split("\n").map((each) => paragraph(each)) : []));
  }

  close() {
    this.stop();
  }
}
