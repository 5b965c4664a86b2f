// Editing the channel on screen: one button to remove it, and a small form for everything else.

const KINDS_WITH_AMOUNT = { scale: "0.5", noise: "1", clamp: "1" };

class EditForm {
  constructor(head, { send, study }) {
    this.send = send;
    this.remove = element("button", "lg-remove");
    this.remove.type = "button";
    this.remove.onclick = () => this.toggle();
    this.more = element("details", "lg-edit");
    this.summary = element("summary");
    this.form = element("form");
    this.more.append(this.summary, this.form);
    this.tools = element("div", "lg-edit-tools");
    this.tools.append(this.remove, this.more);
    head.append(this.tools);
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.apply(); });
    this.study = study;
    this.kind = "zero";
    this.whole = false;
    this.amounts = { ...KINDS_WITH_AMOUNT };
  }

  draw(target, channel, removed, words) {
    Object.assign(this, { target, channel, words });
    this.tools.hidden = target === null;
    if (target === null) return;
    this.remove.textContent = removed ? words.put_back : words.remove;
    this.remove.title = words.remove_title;
    this.summary.textContent = words.edit;
    const known = JSON.stringify([target, channel]);
    if (known !== this.known) this.build();
    this.known = known;
  }

  build() {
    const { words } = this;
    const texts = { zero: words.kind_zero, scale: words.kind_scale, mean: words.kind_mean, noise: words.kind_noise, clamp: words.kind_clamp };
    const kinds = selectBox("", Object.entries(texts), this.kind, (kind) => { this.kind = kind; this.build(); });
    const row = element("div", "lg-edit-row");
    row.append(kinds);
    if (this.kind in KINDS_WITH_AMOUNT) row.append(this.amountField());
    const scopes = [["channel", filled(words.scope_channel, { channel: this.channel })], ["layer", words.scope_layer]];
    const scope = selectBox("", this.target.whole ? scopes.slice(1) : scopes, this.whole ? "layer" : "channel", (chosen) => { this.whole = chosen === "layer"; });
    scope.querySelector("select").setAttribute("aria-label", words.scope);
    kinds.querySelector("select").setAttribute("aria-label", words.edit);
    const apply = element("button", "lg-apply", words.apply);
    const rank = element("button", "lg-rank", words.ablate);
    rank.type = "button";
    rank.onclick = () => { this.more.open = false; this.study(); };
    this.form.replaceChildren(row, scope, apply, rank);
  }

  amountField() {
    const input = element("input");
    Object.assign(input, { type: "number", step: "any", required: true, value: this.amounts[this.kind] });
    input.setAttribute("aria-label", this.words.amount);
    input.addEventListener("input", () => { this.amounts[this.kind] = input.value; });
    return input;
  }

  apply() {
    const amount = this.kind in KINDS_WITH_AMOUNT ? Number(this.amounts[this.kind]) : null;
    const channel = this.whole || this.target.whole ? null : this.channel;
    this.more.open = false;
    this.send({ add: editText(this.target, this.kind, channel, amount) });
  }

  toggle() {
    if (this.target) this.send({ add: editText(this.target, "zero", this.target.whole ? null : this.channel, null) });
  }
}
