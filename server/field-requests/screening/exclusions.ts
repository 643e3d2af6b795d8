import type { Catalog } from '../../../datasets/catalog.ts';
import type { Field } from '../../../datasets/dataset.ts';
import { rankFields } from '../../ask/retrieval/retrieval.ts';
import type { KeptBody } from '../schema.ts';

/** Share of a description that a field must cover to be meant by it. */
const MEANT = 0.9;

/** Names of the fields that the parts of a request mean which say what is not wanted, and what would do. */
export interface Meant {
  /** By the name of the part. */
  readonly excluded: readonly (readonly [part: string, names: ReadonlySet<string>])[];
  readonly accepted: ReadonlySet<string>;
}

/** The fields that a list of names or descriptions means. Each entry takes up to a fiftieth of a second. */
export function meantBy(catalog: Catalog, entries: readonly string[]): ReadonlySet<string> {
  const meant = new Set<string>();
  for (const entry of entries) {
    if (catalog.fields.has(entry.trim())) meant.add(entry.trim());
    else for (const { name, coverage } of rankFields(catalog, entry, 20)) if (coverage >= MEANT) meant.add(name);
  }
  return meant;
}

/** Whether a field comes from a source that the requester excludes. */
function fromExcluded(catalog: Catalog, { known_sources }: KeptBody, field: Field): boolean {
  const { id, title, publisher } = catalog.datasets.get(field.dataset)!;
  const names = (known_sources?.excluded ?? []).flatMap(({ name }) => (name ? [name.toLowerCase().trim()] : []));
  return names.some(name => name.length > 2 && [id, title, publisher].some(text => text.toLowerCase().includes(name)));
}

/** Makes a function that says which part of a request excludes a field; null where none does. */
export function exclusionsOf(
  catalog: Catalog,
  body: KeptBody,
  { excluded: parts }: Meant,
): (field: Field) => string | null {
  return field => {
    const part = parts.find(([, names]) => names.has(field.name));
    if (part) return part[0];
    return fromExcluded(catalog, body, field) ? 'known_sources.excluded' : null;
  };
}
