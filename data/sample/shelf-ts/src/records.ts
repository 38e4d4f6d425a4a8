import { InvalidRecord } from "./errors.js";

/** A book as the catalogue knows it. */
export interface BookRecord {
  readonly isbn: string;
  readonly title: string;
  readonly authors?: readonly string[];
  readonly year?: number | null;
  readonly subjects?: readonly string[];
  readonly summary?: string;
}

/** Returns the thirteenth digit: weights 1 and 3 in turn, topped up to a multiple of ten. */
export function isbnCheckDigit(firstTwelve: string): number {
  const total = [...firstTwelve].reduce(
    (sum, digit, place) => sum + Number(digit) * (place % 2 === 1 ? 3 : 1),
    0,
  );
  return (10 - (total % 10)) % 10;
}

/**
 * Strips hyphens and blanks and checks the last digit, so that one book has one key.
 *
 * @throws InvalidRecord if the rest is not thirteen digits or the check digit is wrong
 */
export function normalizeIsbn(text: string): string {
  const digits = text.replace(/[- ]/g, "");
  if (!/^[0-9]{13}$/.test(digits)) {
    throw new InvalidRecord(`isbn="${text}" does not have 13 digits`);
  }
  const right = isbnCheckDigit(digits.slice(0, 12));
  if (Number(digits[12]) !== right) {
    throw new InvalidRecord(`isbn="${text}" should end in ${right}; check the digits`);
  }
  return digits;
}

/** What the index sees. The ISBN and the year are looked up, not searched. */
export function searchableText(record: BookRecord): string {
  const { title, authors = [], subjects = [], summary = "" } = record;
  return [title, ...authors, ...subjects, summary].join("\n");
}
