/** The proposal "JSON.parse source text access", which the libraries of TypeScript do not know yet. */
interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}
const { parse, rawJSON } = JSON as unknown as ExactJson;

/** Sixteen digits without a decimal point before them: a text without any has no whole number beyond 2^53. */
const MANY_DIGITS = /(?:^|[^.\d])\d{16}/;
const WHOLE = /^-?\d+$/;

/**
 * Parses JSON as JSON.parse does, but a whole number beyond ±(2^53 - 1) becomes a BigInt: identifiers have as many digits, and a
 * double would keep 16 of them. A number with a decimal point or an exponent is a measure, and a double, as GDAL has it.
 * @throws SyntaxError when the text is no JSON.
 */
export function parseJson(text: string): unknown {
  if (!MANY_DIGITS.test(text)) return JSON.parse(text);
  return parse(text, (_, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && WHOLE.test(source)
      ? BigInt(source)
      : value,
  );
}

/** Writes what `parseJson` returned, with all digits. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? rawJSON(item.toString()) : item));

/** A value of a row: a whole number beyond 2^53 as its digits, an array or object as JSON text. */
export function plainValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'bigint') return value.toString();
  if (value !== null && typeof value === 'object') return jsonText(value);
  return (value ?? null) as string | number | boolean | null;
}

const STRING = /"(?:[^"\\]|\\[\s\S])*"/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})?/g;

/**
 * Some servers write the characters of strings as they are: line ends and other control characters, and backslashes. Where one
 * backslash of a string escapes nothing, none of it does but those before a quote or a backslash.
 * @returns the text with each of them escaped.
 */
export const withBareCharacters = (text: string): string =>
  text.replaceAll(STRING, string => {
    const escapes: readonly string[] = string.match(ESCAPE) ?? [];
    const isBare = escapes.includes('\\');
    const escaped = isBare ? string.replaceAll(/\\(["\\])?/g, (found, next) => (next ? found : '\\\\')) : string;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
    return escaped.replaceAll(/[\0-\x1f]/g, found => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
  });

/** Some servers write numbers that JSON does not have. @returns the text with null for each outside of strings. */
export const withoutNaN = (text: string): string =>
  /[:[,]\s*-?(?:NaN|Infinity)\b/.test(text)
    ? text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, found => (found.startsWith('"') ? found : 'null'))
    : text;
