// A page's role in a class (teacher, student, none), and its effects on the screen.

/** @typedef {"none" | "teacher" | "student"} Role */

/**
 * @typedef {Object} Membership
 * @property {Role} role
 * @property {string} code
 * @property {string} secret - the teacher's right, or the student's ticket: after a reload it opens the class again
 * @property {number} number - the student's, from 1; the teacher's is 0, as in what the server says of who leads
 * @property {boolean} following - whether the page shows what the leader looks at
 * @property {boolean} own - whether a student has their own picture on screen, and not the teacher's
 * @property {boolean} hand - whether a student asks to lead
 * @property {boolean} connected - whether the server has been heard of lately
 * @property {?ClassroomState} state - what all see
 * @property {readonly StudentState[]} students - which only the teacher is told, as what follows
 * @property {boolean} shut - whether nobody else may join
 * @property {boolean} nameless - whether all nicknames are hidden, also those of who comes later
 */

/**
 * @typedef {{type: "opened", code: string, secret: string}
 *   | {type: "joined", code: string, secret: string, number: number}
 *   | {type: "look", state: ClassroomState}
 *   | {type: "roster"} & ClassroomRoster
 *   | {type: "chosen"}
 *   | {type: "back"}
 *   | {type: "own", own: boolean}
 *   | {type: "hand", hand: boolean}
 *   | {type: "line", connected: boolean}
 *   | {type: "out"}} Happening
 */

/** @type {Readonly<Membership>} */
export const OUTSIDE = Object.freeze({
  role: "none", code: "", secret: "", number: 0, following: true, own: false, hand: false, connected: true, state: null, students: Object.freeze([]), shut: false, nameless: false,
});

/**
 * The membership after an event; the same object if that changes nothing.
 * @param {Readonly<Membership>} now
 * @param {Happening} happening
 * @returns {Readonly<Membership>}
 */
export function step(now, happening) {
  const changes = changed(now, happening);
  const names = /** @type {(keyof Membership)[]} */ (Object.keys(changes));
  return names.every((name) => changes[name] === now[name]) ? now : Object.freeze({ ...now, ...changes });
}

/** @type {(now: Readonly<Membership>, happening: Happening) => Partial<Membership>} */
function changed(now, happening) {
  switch (happening.type) {
    case "opened":
      return { ...OUTSIDE, role: "teacher", code: happening.code, secret: happening.secret };
    case "joined": // again after a reload or a lost line: what the page was, it stays
      return { ...(now.role === "student" && now.code === happening.code ? now : OUTSIDE), role: "student", code: happening.code, secret: happening.secret, number: happening.number };
    case "look":
      return looked(now, happening.state);
    case "roster":
      return { students: happening.students, shut: happening.shut, nameless: happening.nameless };
    case "chosen": // whoever leads takes all others along, and does not leave them
      return now.role === "none" || leads(now) ? {} : { following: false };
    case "back":
      return { following: true };
    case "own":
      return now.role === "student" ? { own: happening.own } : {};
    case "hand":
      return now.role === "student" ? { hand: happening.hand } : {};
    case "line":
      return { connected: happening.connected };
    default:
      return OUTSIDE;
  }
}

// A page that is handed the lead, or gets it back, is with the class from then on and shows its own look.
/** @type {(now: Readonly<Membership>, state: ClassroomState) => Partial<Membership>} */
function looked(now, state) {
  if (state.version === now.state?.version) return {};
  const mine = state.lead === now.number && now.state?.lead !== state.lead;
  return mine ? { state, following: true, hand: false, own: false } : { state };
}

/** True if all see this page's look. @param {Readonly<Membership>} now */
export function leads({ role, state, number }) {
  return role !== "none" && (state?.lead ?? 0) === number;
}

/** True if this page shows another one's look. @param {Readonly<Membership>} now */
export function follows(now) {
  return now.role !== "none" && now.state !== null && now.following && !leads(now);
}

/** True if the teacher's picture is on screen, or should be. @param {Readonly<Membership>} now */
export function onShared({ role, own }) {
  return role === "student" && !own;
}

/** Numbers of students who follow, look around alone, and have lost their line. @param {readonly StudentState[]} students */
export function counts(students) {
  const here = students.filter((each) => each.here);
  const following = here.filter((each) => each.following).length;
  return { following, alone: here.length - following, away: students.length - here.length };
}

/** A code as people read it: in two halves. @param {string} code */
export function spelt(code) {
  const half = Math.ceil(code.length / 2);
  return `${code.slice(0, half)} ${code.slice(half)}`;
}
