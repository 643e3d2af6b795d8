import { type Catalog, inputFields } from '../../datasets/catalog.ts';
import type { ScalarType } from '../../datasets/dataset.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import type { Expression } from '../../datasets/grammar/expression.ts';
import { IDENTITY } from '../../datasets/parcel/attributes/identity.ts';
import { RECORD } from '../../datasets/parcel/attributes/record.ts';
import { OWNER_COLUMNS, OWNER_FIELD } from '../../datasets/parcel/owner-columns.ts';
import type { ParcelAttribute } from '../../datasets/parcel/parcel-attribute.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import { valueInPrecision } from '../../query/evaluate/context.ts';
import { plainLine } from '../../query/format/plain-text.ts';
import type { CorrectedValue } from '../../query/release/corrections/correction-list.ts';
import { fieldsUnknown } from '../fetch/selection.ts';
import { ShapeError } from '../http/shape.ts';

/** A field whose values can be corrected. */
export interface CorrectableField {
  readonly name: string;
  readonly type: ScalarType;
  readonly unit: string | null;
  readonly precision: number | null;
  readonly dataset: string;
}

const ATTRIBUTES: Readonly<Record<string, ParcelAttribute>> = PARCEL_ATTRIBUTES;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;
/** Whether the calendar has the day at the head of a text: `Date.parse` takes 30 February for 2 March. */
const isDay = (text: string): boolean => {
  const at = Date.parse(text.slice(0, 10));
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 10));
};

const refused = (key: 'field' | 'value', input: CorrectedValue, msg: string, type: string): ShapeError =>
  new ShapeError([{ loc: ['body', key], msg, type, input, ctx: {} }]);

const OUTLINE = "it is calculated from the parcel's outline, or from how it was matched";

/** Why a field cannot be corrected; null where it can. */
function obstacle(name: string, type: string): string | null {
  if (OWNER_COLUMNS.has(name) || name === OWNER_FIELD)
    return 'it says who owns a parcel, which is corrected at the office that records it';
  if (type === 'array' || type === 'object') return 'it is calculated from other fields: correct those';
  if (Object.hasOwn(IDENTITY, name) || Object.hasOwn(RECORD, name))
    return 'it says which parcel it is, or where its record comes from';
  if (ATTRIBUTES[name]?.computed) return OUTLINE;
  return null;
}

/**
 * The field that a correction names.
 * @throws ServiceError fields_unknown; ShapeError for a field that cannot be corrected.
 */
export function correctableField(catalog: Catalog, name: string): CorrectableField {
  const enrich = enrichCatalogOf(catalog);
  const field = catalog.fields.get(name) ?? enrich.fields.get(name);
  if (!field) throw fieldsUnknown(catalog, [name], [...catalog.fields.keys(), ...enrich.names]);
  const why =
    [name, ...sameNames(catalog, name)].map(one => obstacle(one, field.type)).find(one => one !== null) ?? null;
  const ofMatch = catalog.fields.get(name)?.expression.argument?.startsWith('@') ?? false;
  if (why !== null || ofMatch)
    throw refused('field', name, `Field cannot be corrected: ${why ?? OUTLINE}`, 'field_not_correctable');
  const { type, unit = null, precision, dataset } = field;
  return { name, type: type as ScalarType, unit, precision, dataset };
}

/** The other names of a field's value: the column of parcels that it reads as it is, and the fields that read that column. */
export function sameNames(catalog: Catalog, name: string): readonly string[] {
  const columnOf = (field: string): string | null => {
    const { expression, type } = catalog.fields.get(field) ?? {};
    const column = expression?.op === 'parcel_attr' ? expression.argument : null;
    return column && expression?.text === `parcel_attr(${column})` && ATTRIBUTES[column]?.type === type ? column : null;
  };
  const column = Object.hasOwn(ATTRIBUTES, name) ? name : columnOf(name);
  if (column === null) return [];
  const readers = [...catalog.fields.keys()].filter(field => columnOf(field) === column);
  return [column, ...readers].filter(one => one !== name);
}

/** The layer of which a field says what holds at the place itself; null where it looks about, or reads the parcel or another field. */
function layerAtPlace({ op, sources, options }: Expression): string | null {
  const [source] = sources;
  if (!source || sources.length > 1 || options.over !== undefined) return null;
  return op === 'polygon_attr' || op === 'polygon_within' ? `${source.dataset}:${source.layer}` : null;
}

/**
 * Fields that are not corrected with one and rest on the same statement of the source: those that are calculated from it, and those
 * that read the same polygons at the same place.
 */
export function touchedNames(catalog: Catalog, name: string): readonly string[] {
  const own = new Set([name, ...sameNames(catalog, name)]);
  const expression = catalog.fields.get(name)?.expression;
  const layer = expression ? layerAtPlace(expression) : null;
  const touched = new Set<string>();
  for (const one of catalog.fields.values())
    if (layer !== null && !own.has(one.name) && layerAtPlace(one.expression) === layer) touched.add(one.name);
  // What follows from what follows is found in another round.
  for (let before = -1; touched.size > before; ) {
    before = touched.size;
    for (const one of catalog.fields.values())
      if (!own.has(one.name) && inputFields(one.expression).some(input => own.has(input) || touched.has(input)))
        touched.add(one.name);
  }
  return [...touched];
}

/**
 * A value as the field answers it: numbers in its steps.
 * @throws ShapeError for a value that the field cannot have.
 */
export function correctedValue({ type, precision }: CorrectableField, value: CorrectedValue): CorrectedValue {
  const expected = (what: string) =>
    refused('value', value, `Input should be ${what}, as the field is`, `${type}_type`);
  switch (type) {
    case 'boolean':
      if (typeof value !== 'boolean') throw expected('true or false');
      return value;
    case 'number':
    case 'integer': {
      if (typeof value !== 'number' || !Number.isFinite(value)) throw expected('a number');
      if (type === 'integer' && !Number.isSafeInteger(value)) throw expected('a whole number');
      const rounded = valueInPrecision(value, precision) as number;
      // Near the largest numbers steps have no room, and JSON has no infinity.
      if (!Number.isFinite(rounded)) throw expected('a number of which its steps can be told');
      return rounded;
    }
    case 'date':
      if (typeof value !== 'string' || !DAY.test(value) || !isDay(value)) throw expected('a day, YYYY-MM-DD');
      return value;
    case 'timestamp': {
      const at = typeof value === 'string' && MOMENT.test(value) && isDay(value) ? Date.parse(value) : Number.NaN;
      if (Number.isNaN(at)) throw expected('a time, as 2026-11-20T08:00:00Z');
      return new Date(at).toISOString();
    }
    default:
      // What nobody sees, or what turns the words after it around, would pass whoever reviews it.
      if (typeof value !== 'string' || value.trim() === '' || plainLine(value) !== value)
        throw expected('a text of one line without characters that nobody sees');
      return value.trim();
  }
}
