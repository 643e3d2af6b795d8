import type { Catalog } from '../api/catalog.ts';
import { isHere } from '../api/field.ts';

/** What a view may be about: a preset of the catalog. */
export interface Topic {
  readonly name: string;
  readonly fields: readonly string[];
}

/** How many values of a topic the release has. */
export const answeredBy = ({ fields }: Topic, catalog: Catalog): number =>
  fields.filter(name => {
    const meta = catalog.fields.get(name);
    return meta !== undefined && isHere(meta);
  }).length;

/**
 * The topic that a view begins with: the one that most people come for where the release decides something of it, else the first of
 * which it does, else the one of which it answers most. Pure.
 */
export function firstTopic(catalog: Catalog, wanted: string): string {
  const decides = ({ fields }: Topic) =>
    fields.some(name => {
      const meta = catalog.fields.get(name);
      return meta !== undefined && meta.verdict !== null && isHere(meta);
    });
  const { presets } = catalog;
  const [most] = presets.toSorted((a, b) => answeredBy(b, catalog) - answeredBy(a, catalog));
  return [...presets.filter(({ name }) => name === wanted), ...presets].find(decides)?.name ?? most?.name ?? wanted;
}
