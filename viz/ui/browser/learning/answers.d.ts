// What the server says about lessons and questions, for tsc; viz/ui/learning makes it.

/** HTML that can only be emphasis and code: the server made it of our own Markdown. */
type Markup = string;

/** A picture and its text; with a width in screen pixels, each of its values is a whole number of them. */
interface Drawn {
  png: string;
  text: string;
  title?: string;
  width?: number;
  height?: number | null;
}

/** A parameter of a lesson: its few values, and the one that it begins with. */
interface LessonChoice {
  name: string;
  label: string;
  values: readonly (string | number)[];
  first: string | number;
}

/** A part of a lesson, and the code that runs for it. */
interface LessonPart {
  name: string;
  title: string;
  text: Markup;
  plain: string;
  ours: string | null;
}

/** course.json */
interface LessonFacts {
  lessons: number;
  title: string;
  text: Markup;
  choices: readonly LessonChoice[];
  parts: readonly LessonPart[];
  hints: Markup;
  traps: Markup;
}

/** lesson.json */
interface LessonNumbers {
  lines: readonly { label: Markup; expected: string; found: string; right: boolean }[];
  verdict: string;
  canvas?: Drawn;
}

/** lesson_live.json */
interface LessonLive {
  text: Markup;
  hooks: readonly { hook: string; given: string }[];
  kept?: readonly { way: string; wrong: string }[];
  maps?: Drawn;
}

/** quiz.json; it does not say which choice is right. */
interface QuizQuestion {
  questions: number;
  text: Markup;
  choices: readonly string[];
  pictures: readonly Drawn[];
}

/** quiz_answer.json */
interface QuizAnswer {
  right: boolean;
  answer: number;
  why: Markup;
}

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
