// Streamlit's scripts in packs, for slow lines, which need a moment for each request. Each script becomes a module at
// an address that the browser makes, and names those that it imports by theirs. So each is there once, whether it came
// in a pack or is fetched later.

const STATIC = /\b(from|import)"\.\/([\w.-]+\.js)"/g;
const DYNAMIC = /\bimport\(`\.\/([\w.-]+\.js)`\)/g;
const AHEAD = /\b__vite__mapDeps\(\[[\d,]*\]\)/g; // what Streamlit would fetch before a script: only styles are left of it
const PATIENCE_MS = 4000; // for the maps, which come before the boxes beside them

/** @typedef {Readonly<Record<string, string>>} Scripts - texts by the names of their files */
/** @typedef {{entry: string, scripts: Scripts, later: {address: string, names: readonly string[]}}} FirstPack */

export class Shell {
  /** @type {Map<string, string>} */
  texts = new Map();

  /** @type {Map<string, string>} */
  addresses = new Map();

  /** @type {?Promise<void>} */
  boxes = null; // the second pack, once it is asked for

  /**
   * @param {FirstPack} pack
   * @param {string} root - the address of the folder of the scripts
   * @param {Promise<void>} standing - kept once the page stands
   */
  constructor(pack, root, standing) {
    this.pack = pack;
    this.root = root;
    this.standing = standing;
    this.take(pack.scripts);
  }

  /** @param {Scripts} scripts */
  take(scripts) {
    for (const [name, text] of Object.entries(scripts)) this.texts.set(name, text);
  }

  // Load a script's exports; it is fetched if no pack has brought it.
  /** @param {string} name */
  async load(name) {
    if (this.pack.later.names.includes(name)) await (this.boxes ??= this.takeBoxes());
    await this.fetchAll([name]);
    return import(this.address(name));
  }

  // On a slow line the boxes would take the line from the maps.
  async takeBoxes() {
    await Promise.race([this.standing, new Promise((go) => { setTimeout(go, PATIENCE_MS); })]);
    this.take(await (await fetch(this.pack.later.address)).json());
  }

  // Fetch the missing ones of some scripts and of all that they import.
  /** @param {readonly string[]} names */
  async fetchAll(names) {
    for (let missing = this.missing(names); missing.length; missing = this.missing(names)) {
      await Promise.all(missing.map(async (name) => {
        const answer = await fetch(this.root + name);
        if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
        this.texts.set(name, await answer.text());
      }));
    }
  }

  /** @param {readonly string[]} names */
  missing(names) {
    const reached = new Set(names);
    for (const name of reached) for (const [, , other] of this.texts.get(name)?.matchAll(STATIC) ?? []) reached.add(other);
    return [...reached].filter((name) => !this.texts.has(name));
  }

  // Address of a script in the browser; the scripts that it imports have one before it.
  /** @type {(name: string) => string} */
  address(name) {
    const known = this.addresses.get(name);
    if (known) return known;
    const text = (this.texts.get(name) ?? "")
      .replace(STATIC, (_, word, other) => `${word}${JSON.stringify(this.address(other))}`)
      .replace(DYNAMIC, (_, other) => `layerglassLoad(${JSON.stringify(other)})`)
      .replace(AHEAD, (all) => `${all}.filter((each)=>each.endsWith(".css"))`)
      .replaceAll("import.meta.url", JSON.stringify(this.root + name));
    const made = URL.createObjectURL(new Blob([text, `\n//# sourceURL=${this.root}${name}\n`], { type: "text/javascript" }));
    this.addresses.set(name, made);
    return made;
  }
}

// Start Streamlit from the pack that the page names, or from its own files if the pack cannot be had.
/** @param {Promise<void>} standing */
export async function startShell(standing) {
  /** @type {?HTMLLinkElement} */
  const named = document.querySelector("link[data-entry]");
  if (!named) return; // the page names the script itself
  const root = new URL("static/js/", document.baseURI).href;
  let pack;
  try {
    pack = /** @type {FirstPack} */ (await (await fetch(named.href)).json());
  } catch {
    await import(root + named.dataset.entry);
    return;
  }
  const shell = new Shell(pack, root, standing);
  Object.assign(globalThis, { layerglassLoad: (/** @type {string} */ name) => shell.load(name) });
  await shell.load(pack.entry);
}
