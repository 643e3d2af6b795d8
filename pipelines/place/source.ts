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

/** What a place is read from. */
export interface PlaceSource {
  readonly value: unknown;
  /** The message with where it belongs: the value at a path, its key, or the nearest part of the path that is there. */
  line(path: Path, onKey: boolean, message: string): string;
}

/** Anchors may be used often; nested ones must not grow a small file into a huge one. */
const MAX_ALIASES = 100_000;

/** Keys of the whole that are no part of the place: what anchors hang on, and the schema that a JSON file names for editors. */
const NO_PART = /^x-|^\$schema$/;

const isMergeKey = ({ key }: Pair) =>
  isScalar(key) &&
  (key.value === '<<' || (typeof key.value === 'symbol' && key.value.description === '<<')) &&
  key.type === 'PLAIN';

/** A node, or the one that an alias stands for. */
function resolved(document: Document, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

/** The pair of a key in a map: its own, else that of the first map merged into it. */
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

/** Character offset of the value (or its key) at a path, or of the nearest part of the path that is there. */
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

/** Aliases without an anchor, and merge keys whose value is no map: the library tells neither with its place. */
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
      // An alias without an anchor is told by itself.
      if (!maps.every(map => map === undefined || isMap(map)))
        found.push({
          offset: startOf(pair.value) ?? startOf(pair.key) ?? 0,
          message: '<< takes a map, an alias of one, or a list of them',
        });
    },
  });
  return found;
}

/** Merge keys may stand several times. */
const sameKey = (a: unknown, b: unknown) =>
  isScalar(a) && isScalar(b) && typeof a.value !== 'symbol' && (a.source ?? a.value) === (b.source ?? b.value);

/** Keys are the text that was written: `null` is a key here, and the code 010 of a lookup is not 10. */
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
 * A place file in YAML (with anchors and merge keys) or JSON. Keys of the whole that begin with `x-` hold what anchors hang
 * on; they and `$schema` are no part of the place.
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

/** @throws PlaceError as readText, or when there is no such file. */
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

/** A place of this build. */
export function builtInSource(name: string, value: unknown): PlaceSource {
  return {
    value,
    line: (path, _, message) => `datasets/places/${name}.ts: ${path.length > 0 ? `${dotted(path)}: ` : ''}${message}`,
  };
}
