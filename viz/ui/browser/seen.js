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
  root.querySelector("ol").replaceChildren(...data.top.map(guess));
}

function guess([label, probability]) {
  const item = document.createElement("li");
  const name = document.createElement("span");
  const share = document.createElement("span");
  name.textContent = label;
  name.title = label;
  share.textContent = `${(100 * probability).toFixed(probability >= 0.0995 ? 0 : 1)} %`;
  item.append(name, share);
  item.style.setProperty("--share", `${100 * probability}%`);
  return item;
}
