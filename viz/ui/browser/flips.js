// Flipping through pages: what the viewer and the comparison have in common. Whoever extends this has `go`.

const REPORT_AFTER_MS = 250;
const SETTLED_MS = 200; // without a change of size
const STYLE_MS = 16; // between two looks for the page's style sheet

class Flips {
  // Follow the keyboard, the layer dropdown, the tree and the window's size until `close`.
  listen(parent) {
    const goTo = (event) => {
      event.preventDefault(); // nobody else needs to
      this.goByName(event.detail.layer);
    };
    window.addEventListener("layerglass:go", goTo);
    this.resizing = new ResizeObserver(() => this.resized());
    this.resizing.observe(parent);
    const page = parent.closest("[data-testid=stMainBlockContainer]");
    if (page) this.resizing.observe(page); // what stands above takes room, too
    const resized = () => this.resized();
    window.addEventListener("resize", resized);
    this.stops = [
      listenToKeys(this),
      followDropdown(this),
      () => window.removeEventListener("layerglass:go", goTo),
      () => this.resizing.disconnect(),
      () => window.removeEventListener("resize", resized),
      beforeOthersAct(this),
    ];
  }

  // Whether the page's style sheet is there, which may come after the viewer and decides how much room it has. Once
  // it is, what was to be shown is.
  isStyled() {
    this.styled ||= getComputedStyle(document.documentElement).getPropertyValue("--lg-upload") !== "";
    if (this.styled) return true;
    this.parts.root.setAttribute("aria-busy", "true");
    setTimeout(() => { if (this.parts.root.isConnected) this.go(this.index, this.call, false); }, STYLE_MS);
    return false;
  }

  // When nothing has changed its size for a while; until then the document says so.
  onceSettled(act) {
    const { root } = this.parts;
    root.dataset.settling = "";
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      delete root.dataset.settling;
      act();
    }, SETTLED_MS);
  }

  close() {
    clearTimeout(this.reporting);
    this.stops.forEach((stop) => stop());
  }

  // Whether the page leads: it moved, or heard of moves that were not made here, and has heard of every one that
  // was; else what it says is older.
  isLed({ serial, heard }) {
    this.moves ??= heard;
    const led = this.moves < heard || (this.serial !== serial && this.moves === heard);
    this.moves = Math.max(this.moves, heard);
    return led;
  }

  step(by) {
    let index = this.index;
    let call = this.call + by;
    if (call < 0 || call >= this.pages[index][3]) {
      index += by;
      if (index < 0 || index >= this.pages.length) return;
      call = by > 0 ? 0 : Math.max(0, this.pages[index][3] - 1);
    }
    this.go(index, call);
  }

  // Show what was chosen in the page's box before the page asks for it. The page takes what the box says for old
  // where the viewer has passed that layer: then it is told so before the box does, which costs a run of its script.
  lead(name) {
    if (name === this.layer) return;
    const doubted = this.moves > this.data.heard || this.data.passed.includes(name);
    if (!doubted) this.channel = null;
    this.goByName(name, doubted);
    if (doubted) this.tellPage();
  }

  goByName(name, report = true) {
    const index = this.pages.findIndex((page) => page[0] === name);
    if (index >= 0) this.go(index, 0, report);
  }

  isAt({ layer, call }) {
    return layer === this.layer && call === this.call;
  }

  // What is done to a channel is done to the layer that the page names. Until its maps are there nothing is: those
  // on screen are of another one, and nobody has seen what would be changed.
  onceNamed(act) {
    if (this.isNamed()) act();
    else this.parts.status.textContent = filled(this.words.maps_coming, { layer: this.layer });
  }

  // The channel `by` tiles further on, in the order in which a mosaic shows them.
  channelAfter(geometry, by) {
    const place = (placeOf(geometry, this.channel) + by + geometry.channels) % geometry.channels;
    return geometry.order.length ? geometry.order[place] : place;
  }

  // Where an element begins, in pixels from the page's top; the same when the page has been scrolled.
  topOf(part) {
    const scroller = part.closest("[data-testid=stMain]") ?? document.scrollingElement;
    return part.getBoundingClientRect().top + scroller.scrollTop;
  }

  // All that the page does not know by itself. The server reads only the last of several messages that wait, and
  // takes its own controls for newer than what it has not been told: so each message says everything.
  at() {
    return { layer: this.layer, call: this.call, channel: this.channel ?? null, move: this.moves, present: this.presentation.on };
  }

  tellPage() {
    clearTimeout(this.reporting);
    this.reporting = null;
    this.report(this.at());
  }

  tellNow() {
    if (this.reporting) this.tellPage();
  }

  reportLater(wanted) {
    if (!wanted) return;
    clearTimeout(this.reporting);
    this.moves += 1;
    this.reporting = setTimeout(() => this.tellPage(), REPORT_AFTER_MS); // once the visitor rests
  }

  // Until the server answers, which it is asked again and again, ever less often; `draw` gets the answer.
  async fetchAndDraw(address, current, patience = 400) {
    this.parts.root.setAttribute("aria-busy", "true");
    try {
      const page = await this.store.open(address);
      if (current()) this.draw(page);
    } catch {
      if (!current()) return;
      this.parts.status.textContent = this.words.lost;
      setTimeout(() => { if (current()) this.fetchAndDraw(address, current, Math.min(8000, patience * 2)); }, patience);
    }
  }
}

// Before anything else on the page is used, the page is told of the last flip: what is used may end this view. The
// tree is used to flip.
function beforeOthersAct(viewer) {
  const acting = ({ type, key, target }) => {
    const elsewhere = target instanceof Element && !target.closest(".lg-viewer, .lg-tree");
    if (elsewhere && (type !== "keydown" || !(key in KEYS) || belongsElsewhere(target))) viewer.tellNow();
  };
  const kinds = ["pointerdown", "click", "keydown"];
  for (const kind of kinds) document.addEventListener(kind, acting, true);
  return () => kinds.forEach((kind) => document.removeEventListener(kind, acting, true));
}
