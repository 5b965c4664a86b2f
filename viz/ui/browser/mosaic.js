// Geometry and numbers of a mosaic: which channel lies where, how large a value is drawn, how a number reads.

function channelAt(geometry, x, y) {
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

// Which tile shows a channel.
function placeOf(geometry, channel) {
  return geometry.order.length ? geometry.order.indexOf(channel) : channel;
}

function tileBox(geometry, channel) {
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

// Enlarge by whole device pixels so that every value stays a sharp square; shrink only when there is no room.
function fitted(width, height, roomWidth, roomHeight) {
  const ratio = window.devicePixelRatio || 1;
  const scale = Math.min(roomWidth / width, roomHeight / height);
  return scale * ratio >= 1 ? Math.floor(scale * ratio) / ratio : scale;
}

// How many tiles in a row let a layer of this shape be drawn largest; among equals, the fullest last row.
function bestColumns(shape, room) {
  if (!shape || shape.length !== 4) return 0;
  const [, channels, height, width] = shape;
  let best = { columns: 0, scale: 0, spare: 0 };
  for (let columns = 1; columns <= Math.min(channels, 64); columns += 1) {
    const rows = Math.ceil(channels / columns);
    const scale = fitted(columns * (width + 1) - 1, rows * (height + 1) - 1, room.width, room.height);
    const spare = rows * columns - channels;
    if (scale > best.scale * 1.001 || (scale > best.scale * 0.999 && spare < best.spare)) best = { columns, scale, spare };
  }
  return best.columns;
}

function readable(number) {
  if (number === null || number === undefined) return "–";
  if (!Number.isFinite(number)) return String(number);
  const size = Math.abs(number);
  const text = size !== 0 && (size < 1e-3 || size >= 1e5) ? number.toExponential(2) : String(Number(number.toPrecision(4)));
  return text.replaceAll("-", "−");
}

function percent(share) {
  return `${Number((100 * share).toPrecision(3))}\u00a0%`; // the number and its sign stay on one line
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}
