// What course and quiz share, for tsc: nothing of this is served.

/** The fields of the look that course and quiz are about. */
interface LearningLook {
  layer: string;
  call: number;
  edit: string;
  lesson: number;
  seed: number | null;
}

/** What the stage gives to course and quiz. */
interface LearningPage {
  data: { subject: string; model: string; words: Readonly<Record<string, string>> };
  store: { get: () => LearningLook; dispatch: (action: any) => void; settle: (action: any) => void };
}
