import { type Catalog, inputFields, walk } from '../../datasets/catalog.ts';
import type { Confidence } from '../../datasets/dataset.ts';
import type { Expression } from '../../datasets/grammar/expression.ts';
import type { GeocodeBlock } from './block.ts';

/** Metres. When an address is known only to its street, features this near may belong to another place. */
const NEAR_M = 1000;

/** Operators that answer with the value of the polygon or cell that contains the point. */
const HOLDING = new Set(['parcel_attr', 'polygon_attr', 'polygon_within', 'area_key_attr', 'raster_sample']);

function isExact({ op, options }: Expression): boolean {
  if (HOLDING.has(op) || options.over === 'parcel') return true;
  const disc = options.radius_m ?? /^radius:(.+)$/.exec(String(options.over))?.[1];
  // A window is told by how far it is across.
  const radius = disc === undefined ? Number(options.window_m) / 2 : Number(disc);
  return radius <= NEAR_M || Number(options.max_km) * 1000 <= NEAR_M;
}

const exact = new WeakMap<Catalog, Map<string, boolean>>();

/**
 * Whether a field depends on the exact place (docs/operators.md): it reads the parcel, the polygon or the cell that
 * contains the point, or features within a kilometre, directly or through an input. A name that is not a fetch field
 * belongs to the parcel, so it does.
 */
function hangsOnPlace(catalog: Catalog, name: string): boolean {
  const field = catalog.fields.get(name);
  if (!field) return true;
  const memo = exact.get(catalog) ?? new Map<string, boolean>();
  exact.set(catalog, memo);
  let hangs = memo.get(name);
  if (hangs === undefined) {
    hangs = inputFields(field.expression).some(input => hangsOnPlace(catalog, input));
    walk(field.expression, call => {
      hangs ||= isExact(call);
    });
    memo.set(name, hangs);
  }
  return hangs;
}

const LOWER: Readonly<Record<Confidence, Confidence>> = { high: 'medium', medium: 'low', low: 'low' };

/** Whether an address is known only to its street. */
export const isStreetGrade = (geocode: GeocodeBlock | null): boolean => geocode !== null && !geocode.parcel_grade;

/**
 * Lowers the confidence of fields that depend on the exact place by one bucket, when an address was found only on its
 * street or at its neighbour.
 * @param geocode null for a coordinate.
 */
export function loweredOnStreet<R extends { readonly confidence: string }>(
  catalog: Catalog,
  geocode: GeocodeBlock | null,
  fields: Readonly<Record<string, R>>,
  besideLot = false,
): Readonly<Record<string, R>> {
  if (!isStreetGrade(geocode) && !besideLot) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, record]) => [
      name,
      hangsOnPlace(catalog, name) ? { ...record, confidence: LOWER[record.confidence as Confidence] } : record,
    ]),
  );
}
