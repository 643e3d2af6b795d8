import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import type { ApiError } from '../api/api-error.ts';
import { keepPaidAnswer, paidAnswer } from '../api/paid-answer.ts';
import { ask } from '../api/request.ts';
import { type Place, readPlace } from '../shell/address.ts';
import { useToken } from '../shell/session.ts';
import { measureIn, type Units, unitsNow } from '../values/units.ts';

type Area = AnswerOf<'area'>;

/** A line or an area that a reach is about, from a file. */
interface Shape {
  readonly type: 'MultiLineString' | 'Polygon' | 'MultiPolygon';
  readonly coordinates: unknown;
}

/** A reach about a place: so many meters, or minutes of driving. */
export type Near = (
  | Place
  | { readonly address: string }
  | { readonly parcel_id: string }
  | { readonly geometry: Shape }
) &
  ({ readonly within_m: number } | { readonly drive_minutes: number });

/** Meters of what a reach is typed in; minutes have none. */
export const REACHES = { feet: 0.3048, miles: 1609.344, meters: 1, kilometers: 1000, minutes: null } as const;
export type Reach = keyof typeof REACHES;

/** A reach as somebody typed it; null where it is none. @param where an address or a coordinate. */
export function nearOf(where: string, amount: string, reach: Reach): Near | null {
  const number = Number(amount.replaceAll(',', ''));
  const place = readPlace(where) ?? (where.trim() === '' ? null : { address: where.trim() });
  if (!place || !Number.isFinite(number) || number <= 0) return null;
  const metres = REACHES[reach];
  return metres === null
    ? { ...place, drive_minutes: number }
    : { ...place, within_m: Math.round(number * metres * 10) / 10 };
}

const SHAPES: readonly string[] = ['MultiLineString', 'Polygon', 'MultiPolygon'];

/** Reads a reach of an address of this page; null where it is none. */
export function readNear(text: string | undefined): Near | null {
  try {
    const {
      lat,
      lng,
      address,
      parcel_id: parcel,
      geometry,
      within_m: metres,
      drive_minutes: minutes,
    } = JSON.parse(text ?? '') as Record<string, unknown>;
    const place =
      typeof lat === 'number' && typeof lng === 'number'
        ? { lat, lng }
        : typeof address === 'string'
          ? { address }
          : typeof parcel === 'string'
            ? { parcel_id: parcel }
            : SHAPES.includes((geometry as Shape | undefined)?.type ?? '')
              ? { geometry: geometry as Shape }
              : null;
    if (!place) return null;
    if (typeof metres === 'number') return { ...place, within_m: metres };
    return typeof minutes === 'number' ? { ...place, drive_minutes: minutes } : null;
  } catch {
    return null;
  }
}

/** A reach in words, such as "Within 1 mi of 44.80160, -68.77120". */
export function nearWords(near: Near, units: Units = unitsNow()): string {
  const ofShape = (shape: Shape) => (shape.type === 'MultiLineString' ? 'a line' : 'an area');
  const place =
    'address' in near
      ? near.address
      : 'parcel_id' in near
        ? 'a parcel'
        : 'geometry' in near
          ? ofShape(near.geometry)
          : `${near.lat}, ${near.lng}`;
  if ('drive_minutes' in near)
    return `Within ${near.drive_minutes} ${near.drive_minutes === 1 ? 'minute' : 'minutes'} by car of ${place}`;
  const { value, unit } = measureIn(near.within_m, 'm', units, false);
  return `Within ${Number(value.toPrecision(3)).toLocaleString('en-US')} ${unit} of ${place}`;
}

/** Key that a drive time is kept by: it costs credits. */
const DRIVE = 'drive';

/** Keeps the area of a drive for the search that is about to ask for it. @param text of the address of this page. */
export const keepDrive = (text: string, area: Area): void => keepPaidAnswer(DRIVE, text, area);

/** The area within a reach: null while it is not had. */
export interface NearArea {
  readonly area: Area | null;
  readonly error: ApiError | null;
}

/** Asks for the area within a reach. @param text of the address of this page, as readNear takes it. */
export function useNearArea(text: string | undefined): NearArea {
  const token = useToken();
  const [told, setTold] = useState<NearArea & { readonly of: string | undefined }>({
    area: null,
    error: null,
    of: undefined,
  });
  useEffect(() => {
    const near = readNear(text);
    if (!near) return;
    const isDrive = 'drive_minutes' in near;
    const kept = isDrive ? paidAnswer<Area>(DRIVE, text!) : null;
    if (kept) {
      setTold({ area: kept, error: null, of: text });
      return;
    }
    const gone = new AbortController();
    ask<Area>({ method: 'POST', path: '/v1/areas', body: near }, gone.signal).then(
      area => {
        if (isDrive) keepPaidAnswer(DRIVE, text!, area);
        setTold({ area, error: null, of: text });
      },
      (error: ApiError) => gone.signal.aborted || setTold({ area: null, error, of: text }),
    );
    return () => gone.abort();
  }, [text, token]);
  // An area of another reach than that of the address would be drawn as if it were this one.
  return told.of === text ? told : { area: null, error: null };
}
