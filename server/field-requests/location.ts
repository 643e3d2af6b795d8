import { unsupportedForm } from '../../query/geocode/address/unsupported-form.ts';
import { readArea } from '../../query/search/page/geojson.ts';
import { accountOf, type Ctx, termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import type { ErrorKind } from '../errors/error-kind.ts';
import { ServiceError } from '../errors/registry.ts';
import { withinEnvelope } from '../locator.ts';
import { judged } from '../lookup/judgement.ts';
import { invalidGeometry, misplaced, readPolygon } from '../sites/polygon.ts';
import { MAX_ACRES } from '../sites/schema.ts';
import type { ExampleLocation } from '../state/field-requests/row.ts';
import type { FieldRequestBody } from './schema.ts';

type Sent = FieldRequestBody['example_locations'][number];

/** Addresses and polygons of one request that are looked up at once. */
const AT_ONCE = 4;

/** Only the area of the address is known. Field requests answer this with 422, other endpoints with 404. */
class TooCoarse extends ServiceError<'address_too_coarse'> {
  constructor(index: number) {
    super('address_too_coarse', {}, { index });
  }
  override get kind(): ErrorKind {
    return { ...super.kind, status: 422 };
  }
}

const pathOf = (index: number) => `example_locations[${index}]`;

/** @throws ServiceError invalid_locator unless exactly one form was sent completely. */
function requireOneForm({ address, lat, lng, polygon }: Sent, index: number): void {
  const half = (lat === undefined) !== (lng === undefined);
  const forms = [address, polygon, lat ?? lng].filter(form => form !== undefined).length;
  if (forms === 1 && !half) return;
  const found = half
    ? `\`${lat === undefined ? 'lat' : 'lng'}\` is missing`
    : `${forms === 0 ? 'none' : forms} of them were sent`;
  throw new ServiceError(
    'invalid_locator',
    { found: `in \`${pathOf(index)}\`, where \`polygon\` is a third form, ${found}` },
    { index },
  );
}

function outOfBounds(index: number, point: { readonly lat: number; readonly lng: number } | null, swapped: boolean) {
  const where = point ? ` (lat ${point.lat}, lng ${point.lng})` : '';
  const hint = swapped ? '; lat and lng seem to be swapped' : '';
  return new ServiceError('location_out_of_bounds', { path: pathOf(index), where, hint }, { index });
}

function requireInside(point: { readonly lat: number; readonly lng: number }, index: number): void {
  if (withinEnvelope(point)) return;
  throw outOfBounds(index, point, withinEnvelope({ lat: point.lng, lng: point.lat }));
}

async function resolvePolygon(ctx: Ctx, polygon: unknown, index: number): Promise<ExampleLocation> {
  const path = `${pathOf(index)}.polygon`;
  const area = readArea(polygon, path, Infinity);
  if ('description' in area) throw invalidGeometry(area);
  const away = misplaced(area, path);
  if (away) throw outOfBounds(index, null, away.hint.includes('swapped'));
  const reading = await ctx.engine
    .readSite({ geometry: readPolygon(polygon, path), path, maxAcres: MAX_ACRES }, termsOf(ctx))
    .catch((error: unknown) => {
      throw engineRefusal(error, () => new ServiceError('fetch_busy'));
    });
  if ('issue' in reading) throw invalidGeometry(reading.issue);
  if ('unread' in reading) throw new ServiceError('fetch_busy');
  const { lat, lng } = reading.point;
  return { index, resolved_location: { lat, lng, source: 'coordinate' } };
}

async function resolveAddress(ctx: Ctx, address: string, index: number): Promise<ExampleLocation> {
  const path = `${pathOf(index)}.address`;
  const unresolved = (why: string, candidates: readonly unknown[] = []) =>
    new ServiceError('location_unresolved', { path, why }, { index, candidates });
  if (!/[\p{L}\p{N}]/u.test(address)) throw unresolved('it holds neither a letter nor a digit');
  const form = unsupportedForm(address);
  if (form !== null) throw new ServiceError('address_form_unsupported', { ...form }, { index });
  const open = await ctx.geocoder.open(accountOf(ctx).id, address);
  const answer = await open.answer({ deadline: ctx.deadline, signal: ctx.signal });
  const found = judged(address, answer);
  if (!('match' in found)) {
    if (found.disposition === 'clarify')
      throw unresolved(
        'it fits several places alike; add city, state or ZIP code, or send a coordinate',
        found.candidates,
      );
    if (found.reason === 'address_too_coarse') throw new TooCoarse(index);
    throw unresolved(found.hint.replace(/^[A-Z]/, first => first.toLowerCase()).replace(/\.$/, ''));
  }
  const { lat, lng, similarity, accuracyType, normalizedAddress } = found.match;
  requireInside({ lat, lng }, index);
  return {
    index,
    resolved_location: { lat, lng, source: 'address' },
    ...(normalizedAddress === null ? {} : { resolved_address: normalizedAddress }),
    geocode: { accuracy: similarity, accuracy_type: accuracyType, provider: answer.provider },
  };
}

/**
 * Resolves the example locations of a request, with the same care as a lookup.
 * @throws ServiceError invalid_locator, location_out_of_bounds, invalid_geometry, address_form_unsupported,
 * location_unresolved, address_too_coarse (422), fetch_busy and every geocode_* code, of the first location that has
 * one; AbortError when the client has gone.
 */
export async function resolveLocations(ctx: Ctx, sent: readonly Sent[]): Promise<ExampleLocation[]> {
  for (const [index, location] of sent.entries()) {
    requireOneForm(location, index);
    const { lat, lng } = location;
    if (lat !== undefined && lng !== undefined) requireInside({ lat, lng }, index);
  }
  const resolve = async ({ address, lat, lng, polygon }: Sent, index: number): Promise<ExampleLocation> => {
    if (address !== undefined) return resolveAddress(ctx, address, index);
    if (polygon !== undefined) return resolvePolygon(ctx, polygon, index);
    return { index, resolved_location: { lat: lat!, lng: lng!, source: 'coordinate' } };
  };
  const resolved: ExampleLocation[] = [];
  for (let from = 0; from < sent.length; from += AT_ONCE) {
    const part = sent.slice(from, from + AT_ONCE).map((location, i) => resolve(location, from + i));
    for (const answer of await Promise.allSettled(part)) {
      if (answer.status === 'rejected') throw answer.reason;
      resolved.push(answer.value);
    }
  }
  return resolved;
}
