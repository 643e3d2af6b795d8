import { readFileSync } from 'node:fs';
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  visit,
} from 'yaml';

/** Steps from the root of a place to one of its values. */
export type Path = readonly (string | number)[];

/** A place that cannot be ingested; `lines` name every problem as `file:line:column: what`. */
export class PlaceError extends Error {
  override readonly name = 'PlaceError';
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** The source of a place. */
export interface PlaceSource {
  readonly value: unknown;
  /** Returns the message with its position: the value at a path, its key, or the nearest existing part of the path. */
  line(path: Path, onKey: boolean, message: string): string;
}

/** Most values that aliases may stand for, so that nested anchors cannot make a small file huge. */
const MAX_ALIASES = 100_000;

/** Top-level keys that are not part of the place: those for anchors, and the schema that a JSON file names for editors. */
const NO_PART = /^x-|^\$schema$/;

const isMergeKey = ({ key }: Pair) =>
  isScalar(key) &&
  (key.value === '<<' || (typeof key.value === 'symbol' && key.value.description === '<<')) &&
  key.type === 'PLAIN';

/** Returns a node, or the node that an alias refers to. */
function resolved(document: Document, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

/** Returns the pair of a key in a map: its own, else that of the first map merged into it. */
function pairOf(document: Document, node: unknown, step: string | number): Pair | null {
  const map = resolved(document, node);
  if (!isMap(map)) return null;
  const own = map.items.find(
    pair => !isMergeKey(pair) && isScalar(pair.key) && String(pair.key.value) === String(step),
  );
  if (own) return own;
  for (const pair of map.items.filter(isMergeKey)) {
    const merged = resolved(document, pair.value);
    for (const from of isSeq(merged) ? merged.items : [merged]) {
      const found = pairOf(document, from, step);
      if (found) return found;
    }
  }
  return null;
}

const startOf = (node: unknown): number | undefined => (node as { range?: readonly number[] } | null)?.range?.[0];

/** Returns the character offset of the value (or its key) at a path, or of the nearest existing part of the path. */
function offsetOf(document: Document, path: Path, onKey: boolean): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, step] of path.entries()) {
    const list = resolved(document, node);
    if (isSeq(list)) {
      node = list.items[Number(step)] ?? null;
      offset = startOf(node) ?? offset;
      continue;
    }
    const pair = pairOf(document, node, step);
    if (!pair) return offset;
    node = pair.value;
    offset = (depth === path.length - 1 && onKey ? startOf(pair.key) : (startOf(node) ?? startOf(pair.key))) ?? offset;
  }
  return offset;
}

/** Finds aliases without an anchor, and merge keys whose value is not a map; the library reports neither with a position. */
function danglingNodes(document: Document): { offset: number; message: string }[] {
  const found: { offset: number; message: string }[] = [];
  visit(document, {
    Alias(_, node: Alias) {
      if (!node.resolve(document))
        found.push({
          offset: startOf(node) ?? 0,
          message: `no anchor &${node.source} stands before this *${node.source}`,
        });
    },
    Pair(_, pair) {
      if (!isMergeKey(pair)) return;
      const merged = resolved(document, pair.value);
      const maps = isSeq(merged) ? merged.items.map(item => resolved(document, item)) : [merged];
      // An alias without an anchor is reported separately.
      if (!maps.every(map => map === undefined || isMap(map)))
        found.push({
          offset: startOf(pair.value) ?? startOf(pair.key) ?? 0,
          message: '<< takes a map, an alias of one, or a list of them',
        });
    },
  });
  return found;
}

/** Whether two keys are equal; merge keys never are, because they may occur several times. */
const sameKey = (a: unknown, b: unknown) =>
  isScalar(a) && isScalar(b) && typeof a.value !== 'symbol' && (a.source ?? a.value) === (b.source ?? b.value);

/** Makes every key the text that was written: `null` is then a key, and the code 010 of a lookup is not 10. */
function keepKeys(document: Document): void {
  visit(document, {
    Pair(_, pair) {
      const { key } = pair;
      if (isScalar(key) && typeof key.value !== 'string' && !isMergeKey(pair) && key.source !== undefined)
        key.value = key.source;
    },
  });
}

/**
 * Reads a place file in YAML (with anchors and merge keys) or JSON. Top-level keys that begin with `x-` are for anchors; they
 * and `$schema` are not part of the place.
 * @param file named in messages.
 * @throws PlaceError when the text is neither.
 */
export function readText(text: string, file: string): PlaceSource {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, merge: true, uniqueKeys: sameKey });
  const at = (offset: number, message: string) => {
    const { line, col } = counter.linePos(offset);
    return `${file}:${line}:${col}: ${message}`;
  };
  if (document.errors.length > 0) throw new PlaceError(document.errors.map(e => at(e.pos[0], e.message)));
  const dangling = danglingNodes(document);
  if (dangling.length > 0) throw new PlaceError(dangling.map(d => at(d.offset, d.message)));
  keepKeys(document);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new PlaceError([`${file}: anchors stand for more than ${MAX_ALIASES} values; write them out`]);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    value = Object.fromEntries(Object.entries(value).filter(([key]) => !NO_PART.test(key)));
  return { value, line: (path, onKey, message) => at(offsetOf(document, path, onKey), message) };
}

/** Reads a place file from disk. @throws PlaceError as readText, or when there is no such file. */
export function readFile(path: string): PlaceSource {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new PlaceError([`${path}: ${(error as Error).message}; expected a place file in YAML or JSON`]);
  }
  return readText(text, path);
}

const dotted = (path: Path) =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');

/**
 * Returns a place of this build as a source.
 * @param file where it stands, as errors name it.
 */
export function builtInSource(file: string, value: unknown): PlaceSource {
  return {
    value,
    line: (path, _, message) => `${file}: ${path.length > 0 ? `${dotted(path)}: ` : ''}${message}`,
  };
}
