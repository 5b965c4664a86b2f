// The page that a visitor takes home: everything that it shows is in it.

const DATA = JSON.parse(document.getElementById("data").textContent);
const { words, sheets } = DATA;
const PAGE = document.getElementById("page");

function made(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// Leaves out a batch of one picture.
function shapeText(shape) {
  return (shape[0] === 1 ? shape.slice(1) : shape).join(" × ") || "1";
}

function readable(number) {
  if (number === null || number === undefined) return "–";
  const size = Math.abs(number);
  const text = size !== 0 && (size < 1e-3 || size >= 1e5) ? number.toExponential(2) : String(Number(number.toPrecision(4)));
  return text.replace("-", "−");
}

const percent = (share) => `${Number((100 * share).toPrecision(3))} %`;

function bytes(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

// The page's elements, made once.
const parts = {
  title: made("h1", "", DATA.title), layer: made("select"), previous: made("button", "", "‹"), next: made("button", "", "›"),
  facts: made("p", "facts"), maps: made("img", "maps"), mark: made("div", "mark"), frame: made("div", "frame"), reason: made("p", "reason"),
  status: made("p", "status"), large: made("canvas", "large"), name: made("h2"), value: made("p", "value"), note: made("p", "note"),
};

function build() {
  const head = made("header");
  if (DATA.seen) {
    const seen = made("img", "seen");
    Object.assign(seen, { src: `data:image/png;base64,${DATA.seen}`, alt: words.seen });
    head.append(seen);
  }
  const choice = made("div", "choice");
  parts.layer.append(...sheets.map((sheet, place) => new Option(`${place + 1}. ${sheet.name}`, place)));
  parts.layer.setAttribute("aria-label", words.layer);
  parts.previous.setAttribute("aria-label", words.previous);
  parts.next.setAttribute("aria-label", words.next);
  choice.append(parts.previous, parts.layer, parts.next);
  const text = made("div");
  text.append(parts.title, choice);
  head.append(text);
  parts.frame.append(parts.maps, parts.mark);
  parts.large.setAttribute("role", "img");
  parts.status.setAttribute("role", "status");
  const left = made("div", "left");
  left.append(parts.frame, parts.reason, parts.status);
  const right = made("aside");
  right.append(parts.name, parts.large, parts.value);
  const body = made("div", "body");
  body.append(left, right);
  PAGE.append(head, parts.facts, body, parts.note, made("p", "note", words.keys));
}

const at = { sheet: 0, tile: 0 };

// The sheet on screen, with its pixels on a canvas of its own once they are decoded.
async function show(place, tile = 0) {
  at.sheet = Math.max(0, Math.min(sheets.length - 1, place));
  const sheet = sheets[at.sheet];
  parts.layer.value = String(at.sheet);
  parts.previous.disabled = at.sheet === 0;
  parts.next.disabled = at.sheet === sheets.length - 1;
  for (const part of [parts.frame, parts.large, parts.name, parts.value]) part.hidden = !sheet.png;
  parts.reason.textContent = sheet.problem;
  parts.facts.textContent = facts(sheet);
  parts.note.textContent = sheet.png && sheet.order.length < sheet.channels ? filled(words.cut, { shown: sheet.order.length, channels: sheet.channels }) : "";
  parts.status.textContent = sheet.png ? words.choose : "";
  if (!sheet.png) return;
  parts.maps.src = `data:image/png;base64,${sheet.png}`;
  parts.maps.alt = `${filled(words.maps, { layer: sheet.name })}, ${facts(sheet)}`;
  await parts.maps.decode();
  if (sheets[at.sheet] !== sheet) return;
  parts.maps.dataset.layer = sheet.name;
  fit();
  choose(Math.min(tile, sheet.order.length - 1));
}

function facts({ type, shape, dtype, figures }) {
  if (!figures) return type;
  const parted = [type, shapeText(shape), dtype, `${words.minimum} ${readable(figures.minimum)}`, `${words.maximum} ${readable(figures.maximum)}`,
    `${words.mean} ${readable(figures.mean)}`, `${words.zeros} ${percent(figures.zeros)}`];
  if (figures.nan) parted.push(`NaN ${figures.nan}`);
  return parted.filter(Boolean).join(" · ");
}

// Enlarged by whole multiples, so that every value stays a sharp square.
function fit() {
  const { naturalWidth, naturalHeight } = parts.maps;
  const room = { width: Math.max(160, parts.frame.parentElement.clientWidth), height: Math.max(240, window.innerHeight - 230) };
  const scale = Math.min(room.width / naturalWidth, room.height / naturalHeight);
  at.scale = scale >= 1 ? Math.floor(scale) : scale;
  parts.maps.style.width = `${naturalWidth * at.scale}px`;
  parts.maps.style.height = `${naturalHeight * at.scale}px`;
}

function box({ columns, tile, pad }, place) {
  const [height, width] = tile;
  return { x: (place % columns) * (width + pad), y: Math.floor(place / columns) * (height + pad), width, height };
}

// The tile under the pointer; -1 between tiles.
function under({ offsetX, offsetY }) {
  const sheet = sheets[at.sheet];
  const [height, width] = sheet.tile;
  const x = offsetX / at.scale, y = offsetY / at.scale;
  const column = Math.floor(x / (width + sheet.pad)), row = Math.floor(y / (height + sheet.pad));
  const place = row * sheet.columns + column;
  const inside = x - column * (width + sheet.pad) < width && y - row * (height + sheet.pad) < height && column < sheet.columns;
  return inside && place < sheet.order.length ? place : -1;
}

function choose(place) {
  const sheet = sheets[at.sheet];
  if (place < 0 || !sheet.png) return;
  at.tile = place;
  const { x, y, width, height } = box(sheet, place);
  Object.assign(parts.mark.style, { transform: `translate(${x * at.scale}px, ${y * at.scale}px)`, width: `${width * at.scale}px`, height: `${height * at.scale}px` });
  Object.assign(parts.large, { width, height });
  parts.large.getContext("2d", { willReadFrequently: true }).drawImage(parts.maps, x, y, width, height, 0, 0, width, height);
  const scale = Math.max(1, Math.floor(Math.min(300, PAGE.clientWidth - 40) / Math.max(width, height)));
  Object.assign(parts.large.style, { width: `${width * scale}px`, height: `${height * scale}px` });
  parts.name.textContent = filled(words.channel, { channel: sheet.order[place] });
  parts.value.textContent = channelFacts(sheet, place);
  parts.large.setAttribute("aria-label", `${parts.name.textContent}, ${parts.value.textContent}`);
}

function channelFacts({ order, each, low, high }, place) {
  return [filled(words.channel, { channel: order[place] }), `${words.minimum} ${readable(each.minimum[place])}`, `${words.maximum} ${readable(each.maximum[place])}`,
    `${words.mean} ${readable(each.mean[place])}`, `${words.zeros} ${percent(each.zeros[place])}`, filled(words.colours, { low: readable(low[place]), high: readable(high[place]) })].join(" · ");
}

// A cell's value: as computed, if the file holds it, else read from its colour.
function valueAt(x, y) {
  const sheet = sheets[at.sheet];
  const [height, width] = sheet.tile;
  if (sheet.values) {
    sheet.numbers ??= new Float32Array(bytes(sheet.values).buffer);
    return { exact: true, value: sheet.numbers[(at.tile * height + y) * width + x] };
  }
  const [red, green, blue] = parts.large.getContext("2d").getImageData(x, y, 1, 1).data;
  const table = DATA.tables[sheet.colormap];
  const wanted = [red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("");
  for (let level = 0; level * 6 < table.length; level += 1) {
    if (table.slice(level * 6, level * 6 + 6) !== wanted) continue;
    const low = sheet.low[at.tile];
    return { exact: false, value: low + ((level + 0.5) / (table.length / 6)) * (sheet.high[at.tile] - low) };
  }
  return { exact: false, value: null };
}

function point(event) {
  const sheet = sheets[at.sheet];
  const [height, width] = sheet.tile;
  const x = Math.min(width - 1, Math.floor((event.offsetX / parts.large.clientWidth) * width));
  const y = Math.min(height - 1, Math.floor((event.offsetY / parts.large.clientHeight) * height));
  const { exact, value } = valueAt(x, y);
  parts.value.textContent = `[${sheet.order[at.tile]}, ${y}, ${x}] ${exact ? "=" : "≈"} ${readable(value)}`;
}

const KEYS = {
  ArrowLeft: () => show(at.sheet - 1), ArrowRight: () => show(at.sheet + 1), Home: () => show(0), End: () => show(sheets.length - 1),
  ArrowUp: () => choose(at.tile - 1), ArrowDown: () => { if (at.tile + 1 < (sheets[at.sheet].order?.length ?? 0)) choose(at.tile + 1); },
};

build();
parts.previous.onclick = KEYS.ArrowLeft;
parts.next.onclick = KEYS.ArrowRight;
parts.layer.onchange = () => show(Number(parts.layer.value));
parts.maps.onmousemove = (event) => {
  const place = under(event);
  parts.status.textContent = place < 0 ? words.choose : channelFacts(sheets[at.sheet], place);
};
parts.maps.onclick = (event) => choose(under(event));
parts.large.onmousemove = point;
parts.large.onmouseleave = () => choose(at.tile);
window.addEventListener("resize", () => show(at.sheet, at.tile));
document.addEventListener("keydown", (event) => {
  if (!KEYS[event.key] || event.target.closest("select") || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  KEYS[event.key]();
});
show(0);
