/** Numbers and words as Python writes them, so that both sides show the same arithmetic. */

/**
 * Python's `f"{x:.{digits}f}"`. Both languages round the exact binary value; only of two equally
 * near decimals Python takes the even one, and JavaScript the larger.
 *
 * @param {number} x
 * @param {number} digits
 */
export function fixed(x, digits) {
  const short = (Object.is(x, -0) ? "-" : "") + x.toFixed(digits);
  const exact = x.toFixed(Math.min(100, digits + 80)); // a tie ends within 80 digits
  const cutAt = exact.length - 80;
  return isTie(exact.slice(cutAt)) && isOdd(short) ? exact.slice(0, cutAt).replace(/\.$/, "") : short;
}

/**
 * Python's `f"{x:g}"`: six significant digits without trailing zeros.
 *
 * @param {number} x
 */
export function general(x) {
  if (x === 0) return Object.is(x, -0) ? "-0" : "0";
  const [short = "", power = "0"] = x.toExponential(5).split("e");
  const [exact = ""] = x.toExponential(100).split("e");
  const cutAt = exact.indexOf(".") + 6;
  const mantissa = isTie(exact.slice(cutAt)) && isOdd(short) ? exact.slice(0, cutAt) : short;
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) {
    // Six digits are far fewer than a float holds, so the way through Number loses none of them.
    return trimmed(Number(`${mantissa}e${exponent}`).toFixed(5 - exponent));
  }
  const sign = exponent < 0 ? "-" : "+";
  return `${trimmed(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** @param {string} rest */
function isTie(rest) {
  return /^50*$/.test(rest);
}

/** @param {string} digits */
function isOdd(digits) {
  return "13579".includes(digits.at(-1) ?? "");
}

/** @param {string} number */
function trimmed(number) {
  return number.includes(".") ? number.replace(/\.?0+$/, "") : number;
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth"];

/** @param {number} n */
export function ordinal(n) {
  const word = ORDINALS[n - 1];
  if (word !== undefined) return word;
  const teen = n % 100 >= 10 && n % 100 <= 20;
  const suffix = teen ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[n % 10] ?? "th");
  return `${n}${suffix}`;
}

/**
 * Order strings as Python does: by code point, where JavaScript's `<` compares UTF-16 halves.
 *
 * @param {string} a
 * @param {string} b
 */
export function byCodePoint(a, b) {
  const left = Array.from(a, (char) => char.codePointAt(0) ?? 0);
  const right = Array.from(b, (char) => char.codePointAt(0) ?? 0);
  for (let i = 0; i < left.length && i < right.length; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/**
 * The citation of a chunk: source and line range.
 *
 * @param {{source: string, start_line: number, end_line: number}} chunk
 */
export function place(chunk) {
  return `${chunk.source}:${lines(chunk)}`;
}

/** @param {{start_line: number, end_line: number}} chunk */
export function lines(chunk) {
  return chunk.start_line === chunk.end_line
    ? `${chunk.start_line}`
    : `${chunk.start_line}-${chunk.end_line}`;
}
