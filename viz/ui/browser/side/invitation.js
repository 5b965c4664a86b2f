// The invitation of a first visit: your picture, or the camera, by the real boxes in the sidebar.

import { VIEWS } from "../look/fields.js";
import { element, find } from "../maps/mosaic.js";
import { remember, remembers } from "../ribbon/first_visit.js";

const PUT_AWAY = "layerglass.invited";
const CAMERA = "[data-testid=stSidebar] [data-testid=stCheckbox] input"; // Streamlit's; the camera's is the first
const OPENING_MS = 2000; // Streamlit draws the sidebar's boxes once it is open

export class Invitation {
  open = !remembers(PUT_AWAY);

  /**
   * @param {HTMLElement} parent
   * @param {(file: File | undefined) => void} bring
   */
  constructor(parent, bring) {
    this.root = element("aside", "lg-invitation");
    this.root.innerHTML = `<button type="button" data-part="invite_upload"></button><span></span>
      <button type="button" data-part="invite_camera"></button><button type="button" class="lg-invitation-close">×</button>
      <input type="file" accept="image/*" hidden>`;
    parent.append(this.root);
    this.upload = find(this.root, "button[data-part=invite_upload]");
    this.camera = find(this.root, "button[data-part=invite_camera]");
    this.shut = find(this.root, "button.lg-invitation-close");
    const file = find(this.root, "input");
    file.onchange = () => {
      bring(file.files?.[0]);
      file.value = ""; // the same file again is another choice
    };
    this.upload.onclick = () => file.click(); // within the click: Safari opens no box for files after it
    this.camera.onclick = () => startCamera();
    this.shut.onclick = () => this.end();
  }

  // Draw the invitation, which ends once the visitor has brought a picture.
  /** @type {(look: Look, data: SubjectFacts) => void} */
  show({ view }, { words, picture, own }) {
    if (this.open && own.some(({ name }) => name === picture)) this.end();
    this.root.hidden = !this.open || !VIEWS[view].invites;
    if (this.root.hidden) return;
    this.root.setAttribute("aria-label", words.invitation);
    this.upload.textContent = words.invitation_upload;
    this.upload.title = words.invitation_ways;
    find(this.root, "span").textContent = words.invitation_or;
    this.camera.textContent = words.invitation_camera;
    this.shut.setAttribute("aria-label", words.invitation_dismiss);
    this.shut.title = words.invitation_dismiss;
  }

  end() {
    this.open = false;
    remember(PUT_AWAY);
    this.root.hidden = true;
  }
}

async function startCamera() {
  const box = await inSidebar(CAMERA);
  if (!box) return;
  box.scrollIntoView({ block: "nearest" });
  box.focus({ preventScroll: true });
  if (!box.checked) box.click();
}

// A box of the sidebar, which is opened if it is folded away.
/** @type {(selector: string) => Promise<?HTMLInputElement>} */
export async function inSidebar(selector) {
  /** @type {?HTMLElement} */
  const folded = document.querySelector("[data-testid=stExpandSidebarButton]");
  folded?.click();
  const late = Date.now() + OPENING_MS;
  /** @type {?HTMLInputElement} */
  let found = document.querySelector(selector);
  while (!found && Date.now() < late) {
    await new Promise((go) => { setTimeout(go, 50); });
    found = document.querySelector(selector);
  }
  return found;
}
