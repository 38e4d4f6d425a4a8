/** Words too common to tell one book from another. "not" and "no" stay: they change the sense. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an and are as at be but by for from has in is it of on or that the to was with".split(" "),
);

/** Drops combining marks: "Škvorecký" becomes "Skvorecky". */
export function foldAccents(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC");
}

/**
 * Returns the terms of a text, in order and with repeats. There is no stemming.
 *
 * Indexing and searching must both call this function, with the same stop words.
 */
export function tokenize(text: string, stopWords: ReadonlySet<string> = STOP_WORDS): string[] {
  const words = foldAccents(text).toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.filter((word) => !stopWords.has(word));
}
