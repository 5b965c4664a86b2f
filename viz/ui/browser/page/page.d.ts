// Types that scripts share beside the server's answers, for tsc: nothing of this is served, and every script knows it
// by name.

/** Texts in the visitor's language, by name. One with a count has a text for each plural form; `filled` chooses. */
type Words = Readonly<Record<string, string>>;

/** One call of one layer, with its decoded picture; or why there is none. */
type Page = { subject: string; query: string } & (
  | { facts: LayerFacts; image: HTMLImageElement; error?: undefined }
  | { facts: null; image?: undefined; error: string; said?: Answer["said"]; document?: string }
);

/** The address of an answer; for tsc, it knows the question. */
type Address<Question extends string> = string & { readonly question?: Question };

/** Where the scripts of this version are. */
declare var layerglassRoot: string; // eslint-disable-line no-var
