import { ShapeError } from './shape.ts';

/** No body of the service nests further; recursion over deeper ones could exhaust the stack. */
const MAX_DEPTH = 64;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const invalid = (reason: string) =>
  new ShapeError([
    { loc: ['body'], msg: `JSON decode error: ${reason}`, type: 'json_invalid', input: null, ctx: { error: reason } },
  ]);

/**
 * Refuses what JSON.parse lets through silently: a name given twice (RFC 8259 leaves its meaning open) and deep nesting.
 * @param text valid JSON.
 */
function checkStructure(text: string): void {
  const open: (Set<string> | null)[] = [];
  for (let i = 0; i < text.length; i++) {
    const ch = text[i];
    if (ch === '"') {
      const start = i;
      for (i++; text[i] !== '"'; i++) if (text[i] === '\\') i++;
      let next = i + 1;
      while (' \t\r\n'.includes(text[next] ?? 'x')) next++;
      if (text[next] !== ':') continue;
      const names = open.at(-1)!;
      const name = JSON.parse(text.slice(start, i + 1)) as string;
      if (names.has(name)) throw invalid(`the name ${JSON.stringify(name.slice(0, 100))} is given twice`);
      names.add(name);
    } else if (ch === '{' || ch === '[') {
      if (open.push(ch === '{' ? new Set() : null) > MAX_DEPTH) throw invalid(`nested more than ${MAX_DEPTH} deep`);
    } else if (ch === '}' || ch === ']') open.pop();
  }
}

/**
 * Parses a request body strictly: UTF-8 without a byte order mark, one JSON text, unique names, bounded depth.
 * @returns undefined for an empty body, which validation then reports as missing.
 * @throws ShapeError that says what is wrong.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw invalid('the body is not valid UTF-8');
  }
  if (text.startsWith('\uFEFF')) throw invalid('the body starts with a byte order mark');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid((error as Error).message.slice(0, 200));
  }
  checkStructure(text);
  return value;
}
