// Geometry and numbers of a mosaic: places of channels, sizes of values, readable numbers.

/** @type {(geometry: Geometry, x: number, y: number) => ?number} */
export function channelAt(geometry, x, y) {
  const { columns, channels, pad } = geometry;
  const stepX = geometry.tile_width + pad;
  const stepY = geometry.tile_height + pad;
  const column = Math.floor(x / stepX);
  const row = Math.floor(y / stepY);
  const inside = x >= 0 && y >= 0 && x - column * stepX < geometry.tile_width && y - row * stepY < geometry.tile_height;
  const place = row * columns + column;
  if (!inside || column >= columns || place >= channels) return null;
  return geometry.order.length ? geometry.order[place] : place;
}

// Place of the tile that shows a channel.
/** @type {(geometry: Geometry, channel: number) => number} */
export function placeOf(geometry, channel) {
  return geometry.order.length ? geometry.order.indexOf(channel) : channel;
}

/** @type {(geometry: Geometry, channel: number) => {x: number, y: number, width: number, height: number}} */
export function tileBox(geometry, channel) {
  const place = placeOf(geometry, channel);
  const column = place % geometry.columns;
  const row = Math.floor(place / geometry.columns);
  return {
    x: column * (geometry.tile_width + geometry.pad),
    y: row * (geometry.tile_height + geometry.pad),
    width: geometry.tile_width,
    height: geometry.tile_height,
  };
}

// Enlarge by whole device pixels so that every pixel stays a sharp square; shrink only when there is no room.
/** @type {(width: number, height: number, roomWidth: number, roomHeight: number) => number} */
export function fitted(width, height, roomWidth, roomHeight) {
  const ratio = window.devicePixelRatio || 1;
  const scale = Math.min(roomWidth / width, roomHeight / height);
  return scale * ratio >= 1 ? Math.floor(scale * ratio) / ratio : scale;
}

// Values are sharp squares, unless there are fewer pixels than values.
/** @param {number} scale */
export function rendering(scale) {
  return scale * (window.devicePixelRatio || 1) >= 1 ? "pixelated" : "auto";
}

// True if a pixel of the mosaic stands for more than one value.
/** @param {Pick<Geometry, "tile_height" | "tile_width" | "map_height" | "map_width">} geometry */
export function isShrunk({ tile_height, tile_width, map_height, map_width }) {
  return tile_height < map_height || tile_width < map_width;
}

// Number of values per pixel of a mosaic, in words; empty if it is one.
/** @type {(geometry: Geometry, words: Words) => string} */
export function meansNote(geometry, words) {
  if (!isShrunk(geometry)) return "";
  /** @type {(values: number, pixels: number) => number} */
  const along = (values, pixels) => {
    const many = values / pixels;
    return Number(many.toPrecision(many < 1.05 ? 3 : 2)); // nearly one value is not one
  };
  return filled(words.means_note, { down: along(geometry.map_height, geometry.tile_height), across: along(geometry.map_width, geometry.tile_width) });
}

/** @param {unknown} number - numbers that JSON does not have arrive as text */
export function readable(number) {
  if (number === null || number === undefined) return "–";
  return (typeof number === "number" && Number.isFinite(number) ? fourDigits(number) : String(number)).replaceAll("-", "−");
}

/** @param {number} number */
function fourDigits(number) {
  const size = Math.abs(number);
  return size !== 0 && (size < 1e-3 || size >= 1e5) ? number.toExponential(2) : String(Number(number.toPrecision(4)));
}

/** @param {Found} share */
export function percent(share) {
  if (share === null) return "–";
  return perCent(String(Number((100 * share).toPrecision(3))).replaceAll("-", "−"));
}

/**
 * A number with its sign, both on one line; Chinese writes no space between them.
 * @param {string} number
 */
export function perCent(number) {
  return `${number}${document.documentElement.lang.startsWith("zh") ? "" : "\u00a0"}%`;
}

// Words with a count have one text for each plural form of the language.
/**
 * @param {string | Record<string, string>} words
 * @param {Record<string, unknown>} values
 */
export function filled(words, values) {
  const text = typeof words === "string" ? words : words[new Intl.PluralRules(document.documentElement.lang).select(Number(values.count))];
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}


/**
 * The element of our own markup that a selector names, which begins with its tag.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {ParentNode} root
 * @param {Tag | `${Tag}.${string}` | `${Tag}[${string}`} selector
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function find(root, selector) {
  const found = /** @type {?HTMLElementTagNameMap[Tag]} */ (root.querySelector(selector));
  if (!found) throw new Error(`there is no ${selector}`);
  return found;
}

// The element that a selector names, at or around the place of an event.
/** @type {(event: Event, selector: string) => ?HTMLElement} */
export function closestTo({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}
