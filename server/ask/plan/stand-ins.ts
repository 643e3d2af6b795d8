import type { Catalog } from '../../../datasets/catalog.ts';
import { MAX_PLANNED, type Part, type Plan } from '../backend.ts';
import { standInsFor } from './families.ts';

/** Fields with the names of the things that planned distances lead to, which a plan has not: a distance is told with its name. */
export function namesOfThings(catalog: Catalog, fields: readonly string[]): string[] {
  const names = fields.flatMap(field =>
    field.endsWith('_distance_m') ? [field.replace(/_distance_m$/, '_name')] : [],
  );
  return names.filter(name => catalog.fields.has(name) && !fields.includes(name));
}

/** The fields that may stand for those of a part: those that decide first. */
const standIns = ({ fields }: Part): string[] =>
  [...new Set(fields.flatMap(standInsFor))].filter(name => !fields.includes(name));

const isOpen = ({ fields }: Part, hasValue: (field: string) => boolean): boolean =>
  fields.length > 0 && !fields.some(hasValue);

/** Fields to look up for the parts of a plan of which no field has a value. */
export const standInsWanted = ({ parts, fields }: Plan, hasValue: (field: string) => boolean): string[] =>
  [...new Set(parts.filter(part => isOpen(part, hasValue)).flatMap(standIns))].filter(name => !fields.includes(name));

/** A plan in which the first field with a value that may stand for a part without one follows it. At most 15 fields are planned. */
export function withStandIns({ parts, fields, preset }: Plan, hasValue: (field: string) => boolean): Plan {
  const all = [...fields];
  const complete = parts.map(part => {
    const [next] = isOpen(part, hasValue) ? standIns(part).filter(hasValue) : [];
    if (next === undefined || (!all.includes(next) && all.length >= MAX_PLANNED)) return part;
    if (!all.includes(next)) all.push(next);
    return { ...part, fields: [...part.fields, next], standIn: next };
  });
  return { preset, parts: complete, fields: all };
}
