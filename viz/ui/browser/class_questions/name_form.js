// The form for a student's nickname, if the teacher asks for one.

import { button } from "../layer/help.js";
import { element, filled } from "../maps/mosaic.js";
import { refusal } from "../maps/said.js";

export class NameForm {
  drawn = "";
  changing = false;

  /** @param {import("../classroom/asking.js").Asking} asking */
  constructor(asking) {
    this.asking = asking;
    this.root = element("div", "lg-asked-name");
  }

  /** @type {(shown: boolean, words: Words) => void} */
  show(shown, words) {
    this.root.hidden = !shown;
    const { nickname } = this.asking.now;
    const drawn = `${shown} ${nickname} ${this.changing} ${words.language_code}`;
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.root.replaceChildren(...(!shown ? [] : nickname && !this.changing ? this.named(nickname, words) : [this.form(words)]));
  }

  /** @type {(nickname: string, words: Words) => HTMLElement[]} */
  named(nickname, words) {
    const change = button("lg-class-button", words.asking_name_change, () => {
      this.changing = true;
      this.show(true, words);
      this.root.querySelector("input")?.focus();
    });
    return [element("p", "", filled(words.asking_name_is, { nickname })), change];
  }

  /** @param {Words} words */
  form(words) {
    const form = element("form", "lg-asked-form");
    const label = element("label", "", words.asking_name);
    const input = element("input");
    Object.assign(input, { type: "text", autocomplete: "off", maxLength: 24, value: this.asking.now.nickname });
    input.dataset.part = "asked_name";
    const send = element("button", "", words.asking_name_say);
    const wrong = element("p", "lg-asked-wrong");
    send.type = "submit";
    wrong.setAttribute("role", "alert");
    label.append(input);
    form.append(label, send, wrong);
    form.onsubmit = async (event) => {
      event.preventDefault();
      const refused = await this.asking.callMe(input.value);
      wrong.replaceChildren(...(refused ? refusal(refused, words) : []));
      if (refused) return;
      this.changing = false;
      this.show(true, words);
    };
    return form;
  }
}
