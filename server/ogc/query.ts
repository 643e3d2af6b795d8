import type { Box } from '../../datasets/geometry.ts';
import { CqlError, type Expression } from '../../query/cql/expression.ts';
import { readJson } from '../../query/cql/json.ts';
import { readText } from '../../query/cql/text.ts';
import { namesText } from '../../query/format/name/nearest-names.ts';
import { ServiceError } from '../errors/registry.ts';
import { GEOMETRY } from './collection.ts';
import { boxFromMercator, CRS84, filterFromMercator, isBeyondDegrees, MERCATOR } from './reference-system.ts';

/** Parameters as the server parsed them: a name that came twice has a list. */
export type Parameters = Readonly<Record<string, unknown>>;

/** A question for a page of features. */
export interface ItemsQuery {
  readonly limit: number;
  readonly boxes: readonly Box[] | null;
  readonly filter: Expression | null;
  readonly mercator: boolean;
  readonly cursor: string | null;
}

/** The number of features of a page where nothing is said. */
const USUAL_LIMIT = 10;
export const MOST_LIMIT = 1_000;

const ITEM_PARAMETERS = ['f', 'crs'] as const;
const ITEMS_PARAMETERS = [
  ...ITEM_PARAMETERS,
  'limit',
  'bbox',
  'bbox-crs',
  'datetime',
  'filter',
  'filter-lang',
  'filter-crs',
  'cursor',
] as const;

/** The error for a parameter that is wrong. */
export const invalid = (problem: string) => new ServiceError('ogc_invalid_request', { problem });

/** @throws ServiceError ogc_invalid_request for one that the resource does not take, or that comes twice. */
function requireParameters(parameters: Parameters, known: readonly string[]): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (Array.isArray(value)) throw invalid(`The parameter \`${shown(name)}\` came more than once.`);
    if (!known.includes(name)) {
      const names = known.length > 0 ? `it takes ${namesText(known)}` : 'it takes none';
      throw invalid(`This resource does not take the parameter \`${shown(name)}\`; ${names}.`);
    }
  }
}

/** A name of the caller's as an error may show it. */
const shown = (name: string) => name.replace(/[^\w.:-]/g, '?').slice(0, 40);

function textOf(parameters: Parameters, name: string): string | null {
  const value = parameters[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function limitOf(parameters: Parameters): number {
  const text = textOf(parameters, 'limit');
  if (text === null) return USUAL_LIMIT;
  // The standard has larger limits cut down instead of refused (OGC 17-069r4, 7.15.2).
  if (/^\d{1,9}$/.test(text) && Number(text) >= 1) return Math.min(MOST_LIMIT, Number(text));
  throw invalid(`The parameter \`limit\` must be a whole number from 1 to ${MOST_LIMIT}.`);
}

/** True where a parameter names EPSG:3857. @throws ServiceError for any other system than that and CRS84. */
function isMercator(parameters: Parameters, name: string): boolean {
  const text = textOf(parameters, name);
  if (text === null || text === CRS84) return false;
  if (text === MERCATOR) return true;
  throw invalid(`The parameter \`${name}\` must be ${CRS84} or ${MERCATOR}.`);
}

/** The boxes that features must meet: two where one crosses longitude 180. */
function boxesOf(parameters: Parameters): Box[] | null {
  const mercator = isMercator(parameters, 'bbox-crs');
  const text = textOf(parameters, 'bbox');
  if (text === null) return null;
  const numbers = text.split(',').map(part => (part.trim() === '' ? Number.NaN : Number(part)));
  const flat = numbers.length === 6 ? [0, 1, 3, 4].map(i => numbers[i]!) : numbers;
  const [west, south, east, north] = flat as [number, number, number, number];
  if (flat.length !== 4 || !numbers.every(Number.isFinite) || south > north)
    throw invalid('The parameter `bbox` must be four numbers, west, south, east, north, the south below the north.');
  if (mercator) {
    if (west > east) throw invalid('The parameter `bbox` has its west east of its east.');
    return [boxFromMercator([west, south, east, north])];
  }
  if (Math.abs(west) > 180 || Math.abs(east) > 180 || south < -90 || north > 90)
    throw invalid('The parameter `bbox` has a coordinate beyond 180 degrees of longitude or 90 of latitude.');
  return west <= east
    ? [[west, south, east, north]]
    : [
        [west, south, 180, north],
        [-180, south, east, north],
      ];
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$/i;

/** A moment in milliseconds; null where a span is open, NaN of what is none. */
const momentOf = (text: string): number | null =>
  text === '' || text === '..' ? null : MOMENT.test(text) ? Date.parse(text) : Number.NaN;

/** Features have no time of their own, so every one is of any time; what is no time is refused all the same. */
function checkTime(parameters: Parameters): void {
  const text = textOf(parameters, 'datetime');
  if (text === null) return;
  const [from = null, to = from, ...more] = text.split('/').map(momentOf);
  const isTime = (from !== null || to !== null) && !Number.isNaN(from) && !Number.isNaN(to) && more.length === 0;
  if (!isTime || (from !== null && to !== null && from > to))
    throw invalid('The parameter `datetime` must be a moment like 2024-05-31T12:00:00Z, or two with a slash between.');
}

function filterOf(parameters: Parameters): Expression | null {
  const mercator = isMercator(parameters, 'filter-crs');
  const language = textOf(parameters, 'filter-lang') ?? 'cql2-text';
  if (language !== 'cql2-text' && language !== 'cql2-json')
    throw invalid('The parameter `filter-lang` must be cql2-text or cql2-json.');
  const text = textOf(parameters, 'filter');
  if (text === null) return null;
  try {
    const expression = language === 'cql2-text' ? readText(text, GEOMETRY) : readJson(text, GEOMETRY);
    if (mercator) return filterFromMercator(expression);
    if (isBeyondDegrees(expression))
      throw new CqlError('The filter has a coordinate beyond 180 degrees of longitude or 90 of latitude.');
    return expression;
  } catch (error) {
    if (error instanceof CqlError) throw invalid(error.message);
    throw error;
  }
}

/** Features are GeoJSON; `f` is there for clients that send it always. */
function checkFormat(parameters: Parameters): void {
  const text = textOf(parameters, 'f');
  if (text !== null && !['json', 'geojson', 'application/geo+json', 'application/json'].includes(text))
    throw invalid('The parameter `f` must be json.');
}

/** Reads a question for a page of features. @throws ServiceError ogc_invalid_request. */
export function itemsQuery(parameters: Parameters): ItemsQuery {
  requireParameters(parameters, ITEMS_PARAMETERS);
  checkFormat(parameters);
  checkTime(parameters);
  return {
    limit: limitOf(parameters),
    boxes: boxesOf(parameters),
    filter: filterOf(parameters),
    mercator: isMercator(parameters, 'crs'),
    cursor: textOf(parameters, 'cursor'),
  };
}

/** Reads a question for one feature. @throws ServiceError ogc_invalid_request. */
export function itemQuery(parameters: Parameters): { readonly mercator: boolean } {
  requireParameters(parameters, ITEM_PARAMETERS);
  checkFormat(parameters);
  return { mercator: isMercator(parameters, 'crs') };
}

/** @throws ServiceError ogc_invalid_request where a document is asked for with more than its format. */
export function documentQuery(parameters: Parameters): void {
  requireParameters(parameters, ['f']);
  checkFormat(parameters);
}

/** The parameters of a request without its cursor, in one order: what a cursor is bound to. */
export const questionText = (collection: string, parameters: Parameters): string =>
  JSON.stringify([
    collection,
    Object.entries(parameters)
      .filter(([name]) => name !== 'cursor' && name !== 'limit')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
