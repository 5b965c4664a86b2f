// Tells the viewer what is chosen in the layer dropdown before the page's script has run for it.

const CHOOSING = ["pointerup", "click", "keydown"]; // screen readers send only a click

export function followDropdown(viewer) {
  const chosen = (event) => {
    const field = document.querySelector(".st-key-layer input");
    if (field?.getAttribute("aria-expanded") !== "true") return;
    const option = event.type === "keydown" ? enteredOption(event, field) : event.target.closest("[role=option]");
    const list = option?.closest("[role=listbox]");
    if (list && list.id === field.getAttribute("aria-controls")) viewer.lead(option.textContent);
  };
  for (const name of CHOOSING) document.addEventListener(name, chosen, true);
  return () => CHOOSING.forEach((name) => document.removeEventListener(name, chosen, true));
}

function enteredOption({ key, target }, field) {
  const active = field.getAttribute("aria-activedescendant");
  return key === "Enter" && target === field && active ? document.getElementById(active) : null;
}
