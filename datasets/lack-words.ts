import { layerWords } from './layer-words.ts';

/** What a release cannot answer from: a layer that it does not hold, or the copy of a source that lacks a column or rows. */
export type Lack =
  | { readonly of: 'release'; readonly layer: string }
  | { readonly of: 'copy'; readonly source: string; readonly part: string };

/** A column; anything else that a copy lacks is a condition that its rows would meet. */
export const COLUMN = /^[\w.]+$/;

/** The reason where a release does not hold a layer. @see lackIn, which reads it. */
export const layerLacking = (dataset: string, layer: string): string =>
  `data of ${layerWords({ dataset, layer })} is not installed in this release`;

/**
 * The reason where a copy lacks something. @see lackIn, which reads it.
 * @param part a column's name or a condition's text. @param why what is known of it; null where nothing is.
 */
export function copyLacking(source: string, part: string, why: string | null): string {
  const reason = `this copy (${source}) lacks ${COLUMN.test(part) ? 'it' : 'such rows'} (${part})`;
  return why === null ? reason : `${reason}: ${why.replace(/\.$/, '')}`;
}

/** The words of layerLacking. A layer without a title is named alone. */
const LAYER = /(?:^|: )data of (?:.+? \(([\w:]+)\)|([\w:]+)) is not installed in this release/;
/** The words of copyLacking. Names of sources have brackets too. */
const COPY = /^this copy \((.+?)\) lacks (?:it|such rows) \((.+?)\)(?:$|[.:,;])/i;

/**
 * The lack that a reason of a record says: records have one text for people and programs, as the interface has it.
 * @returns null where the reason is another one.
 */
export function lackIn(reason: string): Lack | null {
  const layer = LAYER.exec(reason);
  if (layer) return { of: 'release', layer: (layer[1] ?? layer[2])! };
  const copy = COPY.exec(reason);
  return copy ? { of: 'copy', source: copy[1]!, part: copy[2]! } : null;
}
