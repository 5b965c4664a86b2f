// What is chosen in the layer dropdown reaches the viewer here, before the page's script has run for it.

function followDropdown(viewer) {
  const chosen = (event) => {
    const field = document.querySelector(".st-key-layer input");
    if (field?.getAttribute("aria-expanded") !== "true") return;
    const option = event.type === "pointerup" ? event.target.closest("[role=option]") : enteredOption(event, field);
    const list = option?.closest("[role=listbox]");
    if (list && list.id === field.getAttribute("aria-controls")) viewer.lead(option.textContent);
  };
  for (const name of ["pointerup", "keydown"]) document.addEventListener(name, chosen, true);
  return () => ["pointerup", "keydown"].forEach((name) => document.removeEventListener(name, chosen, true));
}

function enteredOption({ key, target }, field) {
  const active = field.getAttribute("aria-activedescendant");
  return key === "Enter" && target === field && active ? document.getElementById(active) : null;
}
