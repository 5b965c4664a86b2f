// The forms of a look's fields in the text of an address.

/**
 * The text form of a field, to write and to read; undefined for a text that is no value of it.
 * @template Value
 * @typedef {{most?: number, write: (value: Value) => string, read: (text: string) => Value | undefined}} Form
 */

/** @type {(longest: number) => Form<string>} */
export const text = (longest) => ({ write: (value) => value, read: (said) => ([...said].length > longest ? undefined : said) });

// A row and a column, and maybe a channel.
/** @type {Form<string>} */
export const cell = { write: (value) => value, read: (said) => (/^(\d{1,5},\d{1,5}(,\d{1,5})?)?$/.test(said) ? said : undefined) };

/** @type {(known: readonly string[]) => Form<string>} */
export const word = (known) => ({ write: (value) => value, read: (said) => known.find((each) => each === said) });

// A number is at most as many digits long as the largest; `from` is how far the text counts ahead.
/** @type {(least: number, most: number, from?: number) => Form<any>} */
export const number = (least, most, from = 0) => ({
  most,
  write: (value) => String(value + from),
  read: (said) => (/^[0-9]+$/.test(said) && said.length <= String(most).length && Number(said) >= least && Number(said) <= most ? Number(said) - from : undefined),
});

/** @type {Form<boolean>} */
export const yes = { write: (value) => (value ? "1" : "0"), read: (said) => new Map([["1", true], ["0", false]]).get(said) };
