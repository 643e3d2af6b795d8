import { readFileSync } from 'node:fs';
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { Place } from '../datasets/place.ts';
import { places } from '../datasets/places.ts';
import { checkPlace, type Path, type Problem } from './place-check.ts';

/** A place that cannot be ingested; `lines` name every problem as `file:line:column: what`. */
export class PlaceError extends Error {
  override readonly name = 'PlaceError';
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Character offset of the value (or its key) at a path, or of the nearest part of the path that is there. */
function offsetOf(document: Document, path: Path, onKey: boolean): number {
  let node: Node | null = document.contents as Node | null;
  let offset = node?.range?.[0] ?? 0;
  for (const [depth, step] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find(p => isScalar(p.key) && String(p.key.value) === String(step));
      if (!pair) return offset;
      const last = depth === path.length - 1;
      const key = pair.key as Node;
      node = pair.value as Node | null;
      offset = (last && onKey ? key.range?.[0] : (node?.range?.[0] ?? key.range?.[0])) ?? offset;
    } else if (isSeq(node)) {
      node = (node.items[Number(step)] ?? null) as Node | null;
      offset = node?.range?.[0] ?? offset;
    } else return offset;
  }
  return offset;
}

/**
 * Reads a place from YAML or JSON text and checks it against the catalog.
 * @param file named in errors.
 * @throws PlaceError with every problem as `file:line:column: what was wrong and what was expected`.
 */
export function parsePlace(text: string, file: string): Place {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const line = (offset: number, message: string) => {
    const { line, col } = counter.linePos(offset);
    return `${file}:${line}:${col}: ${message}`;
  };
  if (document.errors.length > 0) throw new PlaceError(document.errors.map(e => line(e.pos[0], e.message)));
  const value: unknown = document.toJS();
  const problems = checkPlace(value);
  if (problems.length > 0)
    throw new PlaceError(problems.map(p => line(offsetOf(document, p.path, p.onKey), p.message)));
  return value as Place;
}

/** @throws PlaceError as parsePlace, or when there is no such file. */
export function readPlaceFile(path: string): Place {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new PlaceError([`${path}: ${(error as Error).message}; expected a place file in YAML or JSON`]);
  }
  return parsePlace(text, path);
}

const dotted = ({ path }: Problem) =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');

/** A place of this build, held to the same rules. @throws PlaceError naming the places there are, or its problems. */
export function builtInPlace(name: string): Place {
  const place = places.get(name);
  if (!place)
    throw new PlaceError([
      `No place "${name}"; known: ${[...places.keys()].join(', ')}. A place file of your own: --place-file FILE`,
    ]);
  const problems = checkPlace(place);
  if (problems.length > 0)
    throw new PlaceError(problems.map(p => `datasets/places/${name}.ts: ${dotted(p)}: ${p.message}`));
  return place;
}
