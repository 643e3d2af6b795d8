import type { Catalog } from '../../../datasets/catalog.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import type { Point } from '../../../query/evaluate/answer.ts';

/** A point of the open release and what is there. */
export interface ExamplePlace {
  readonly point: Point;
  /** Fields that have a value there, in the catalog's order. */
  readonly fields: readonly string[];
  /** Where there are parcels to search, two letters; otherwise null. */
  readonly state: string | null;
  /** An address that the release knows; null where it knows none there. */
  readonly address: string | null;
}

const LIMIT_MS = 5_000;

/** Points of the box of the largest parcel layer of a place, or of all: its middle first, then a grid around it. */
function candidates(
  engine: Engine,
  place: string | null,
): { readonly points: readonly Point[]; readonly state: string | null } {
  const installed = engine.installed().filter(source => place === null || source.place === place);
  const [largest] = [
    ...installed.filter(source => source.dataset === 'parcel_store' && source.box).sort((a, b) => b.rows - a.rows),
    // A place without parcels is looked at where its other layers lie.
    ...installed.filter(source => place !== null && source.box && source.state !== null),
  ];
  if (!largest?.box) return { points: [], state: null };
  const [west, south, east, north] = largest.box;
  const shares = [0.5, 0.4, 0.6, 0.3, 0.7];
  const points = shares.flatMap(y =>
    shares.map(x => ({
      lng: Number((west + (east - west) * x).toFixed(5)),
      lat: Number((south + (north - south) * y).toFixed(5)),
    })),
  );
  return { points, state: largest.state };
}

const terms = () => ({ deadline: Date.now() + LIMIT_MS });

/** The address of the parcel at a point, where the geocoder of the release knows it. */
async function addressAt(engine: Engine, point: Point): Promise<string | null> {
  const verdict = await engine.matchParcel(point, null, terms());
  if (verdict.status !== 'matched') return null;
  const { address, city, state2, szip } = verdict.parcel.properties;
  if (!address || !city) return null;
  const text = `${address}, ${city}${state2 ? `, ${state2}` : ''}${szip ? ` ${szip}` : ''}`;
  // An example without an address is better than none.
  const found = await engine.geocode(text, terms()).catch(() => null);
  const [best, next] = found?.matches ?? [];
  // One that two places have is refused: those of farms are known at the house and in the middle of the ground.
  return best?.accuracyType === 'rooftop' && next?.similarity !== best.similarity ? text : null;
}

/**
 * A place to try the service at: a point on a parcel of the release, with an address where there is one, and what has a value
 * there.
 * @param place of the release to look in; null: where the most parcels are.
 * @returns null when the release has no parcels or nothing there answers. @throws EngineBusy.
 */
export async function findExamplePlace(
  engine: Engine,
  catalog: Catalog,
  place: string | null = null,
): Promise<ExamplePlace | null> {
  const installed = engine.status().datasets;
  const names = [...catalog.fields.values()].filter(field => installed[field.dataset]).map(field => field.name);
  const parcelNames = names.filter(name => catalog.parcelRecord.has(name));
  const valued = async (wanted: readonly string[], point: Point) => {
    const answers = await engine.fetch(wanted, point, terms());
    return wanted.filter(name => answers[name]?.status === 'ok');
  };
  const { points, state } = candidates(engine, place);
  let lot: { readonly point: Point; readonly own: readonly string[] } | null = null;
  // On a busy machine all fields may be late; those of the parcel are known by then.
  const fieldsAt = async (point: Point, own: readonly string[]) => {
    const fields = await valued(names, point);
    return fields.length > 0 ? fields : own;
  };
  for (const point of points) {
    const own = await valued(parcelNames, point);
    if (own.length === 0) continue;
    lot ??= { point, own };
    const address = await addressAt(engine, point);
    if (address !== null) return { point, fields: await fieldsAt(point, own), state, address };
  }
  const { point, own } = lot ?? { point: points[0], own: [] };
  const fields = point ? await fieldsAt(point, own) : [];
  return point && fields.length > 0 ? { point, fields, state, address: null } : null;
}
