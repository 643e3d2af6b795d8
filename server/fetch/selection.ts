import type { Catalog } from '../../datasets/catalog.ts';
import { adviceOn, adviceText } from '../errors/name-advice.ts';
import { ServiceError } from '../errors/registry.ts';

/** Fields one request may name after preset expansion. */
export const MAX_FIELDS = 50;

/** A body that chooses fields; null counts as not given. */
interface SelectionBody {
  readonly fields?: readonly string[] | null;
  readonly preset?: string | null;
}

/** Unknown names that the message shows. */
const MOST_SHOWN = 5;

/**
 * Makes the refusal of names that an endpoint does not have, with the nearest of those that it has.
 * @param unknown each name once.
 * @param accepted the names of the endpoint.
 */
export function fieldsUnknown(catalog: Catalog, unknown: readonly string[], accepted: Iterable<string>): ServiceError {
  const suggestions = adviceOn(catalog, unknown, accepted);
  const shown = suggestions
    .slice(0, MOST_SHOWN)
    .map(advice => JSON.stringify(advice.name.slice(0, 64)) + adviceText(advice));
  const rest = unknown.length - shown.length;
  const names = shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return new ServiceError('fields_unknown', { names }, { fields_unknown: unknown, suggestions });
}

/** The names in a body: those of the preset, if the catalog has it, then those of `fields`, each once. */
export function namesIn(catalog: Catalog, { fields, preset }: SelectionBody): string[] {
  return [...new Set([...(preset == null ? [] : (catalog.presets.get(preset) ?? [])), ...(fields ?? [])])];
}

/**
 * The fields a body asks for: the preset in its order, then `fields` in theirs, each once.
 * @throws ServiceError no_fields_requested, fields_unknown (all unknown names together) or fields_too_many.
 */
export function selectFields(catalog: Catalog, body: SelectionBody): string[] {
  const explicit = new Set(body.fields ?? []);
  if (body.preset == null && explicit.size === 0) throw new ServiceError('no_fields_requested');
  const unknown = [...explicit].filter(name => !catalog.fields.has(name));
  if (unknown.length > 0) throw fieldsUnknown(catalog, unknown, catalog.fields.keys());
  const names = namesIn(catalog, body);
  if (names.length > MAX_FIELDS)
    throw new ServiceError(
      'fields_too_many',
      { requested: names.length, max: MAX_FIELDS },
      { max: MAX_FIELDS, requested: names.length },
    );
  return names;
}
