// What the model saw, and its best guesses as bars.

export default function ({ data, parentElement }) {
  let root = parentElement.querySelector(".lg-seen");
  if (!root) {
    root = document.createElement("div");
    root.className = "lg-seen";
    root.innerHTML = `<figure><img><figcaption></figcaption></figure><div><h3></h3><ol></ol><p></p></div>`;
    parentElement.append(root);
  }
  const image = root.querySelector("img");
  if (image.getAttribute("src") !== data.source) image.src = data.source;
  image.alt = data.title;
  root.querySelector("figcaption").textContent = data.title;
  root.querySelector("h3").textContent = data.heading;
  root.querySelector("p").textContent = data.note;
  root.querySelector("ol").replaceChildren(...(data.changes.length ? data.changes.map(change) : data.top.map(guess)));
}

// Before → after; a thin line marks where the bar was.
function change([label, before, after]) {
  const item = guess([label, after]);
  const was = document.createElement("i");
  was.className = "lg-was";
  was.style.left = `${100 * before}%`;
  const shares = item.querySelectorAll("span");
  shares[1].before(was);
  shares[1].textContent = `${percents(before)} → ${percents(after)} %`;
  item.title = `${label}: ${(100 * before).toPrecision(3)} % → ${(100 * after).toPrecision(3)} %`;
  return item;
}

function percents(probability) {
  return (100 * probability).toFixed(probability >= 0.0995 ? 0 : 1);
}

function guess([label, probability]) {
  const item = document.createElement("li");
  const name = document.createElement("span");
  const share = document.createElement("span");
  name.textContent = label;
  name.title = label;
  share.textContent = `${percents(probability)} %`;
  item.append(name, share);
  item.style.setProperty("--share", `${100 * probability}%`);
  return item;
}
