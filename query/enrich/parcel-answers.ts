import type { Point } from '../evaluate/answer.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';
import { presentFirst } from '../search/predicate/counties.ts';
import type { Issue } from '../search/request/issue.ts';
import { onGround, type SetGround, type SetRequest } from '../sets/ground/set-ground.ts';
import { type PlacedParcel, parcelsIn } from '../sets/parcel-by-id.ts';
import { enrichParcel } from './enrich.ts';

const UTF8 = new TextDecoder();

/** A question for what is said of some parcels, plain data. */
export interface ParcelAnswersRequest extends SetRequest {
  /** Each with the key of the only county that can have it, where that is known. */
  readonly parcels: readonly { readonly id: string; readonly county: string | null }[];
  /** Of the enrich catalog, each once, in its order. */
  readonly names: readonly string[];
}

/** What a release says under a name. */
export interface NamedAnswer {
  /** Null unless ok. */
  readonly value: unknown;
  readonly status: 'ok' | 'absent' | 'failed';
  readonly source: string;
  readonly source_url: string | null;
  readonly dataset_vintage: string | null;
  /** Of a failed one: why, and whether a later try may succeed. */
  readonly error?: string;
  readonly retryable?: boolean;
}

/** What a release says of a parcel. */
export interface ParcelAnswer {
  /** Key of its county's partition. */
  readonly county: string;
  /** Its analysis point. */
  readonly point: Point;
  readonly answers: Readonly<Record<string, NamedAnswer>>;
}

/** In the order of the parcels; null where the release does not have one. */
export type ParcelAnswers =
  | { readonly parcels: readonly (ParcelAnswer | null)[] }
  | { readonly issues: readonly Issue[] };

/** Where parcels lie: each county is looked through once, as long as one of them may be there. */
async function placesOf(
  parcels: ParcelAnswersRequest['parcels'],
  ground: SetGround,
): Promise<Map<string, PlacedParcel>> {
  const places = new Map<string, PlacedParcel>();
  for (const county of presentFirst(ground.layers.release)) {
    const { key } = county.partition;
    const left = parcels.filter(parcel => !places.has(parcel.id) && (parcel.county ?? key) === key);
    if (left.length === 0) continue;
    const ids = left.map(({ id }) => id);
    for (const [id, place] of await parcelsIn(county, ids, ground)) places.set(id, place);
  }
  return places;
}

/**
 * What enrichment answers for parcels that are named by their ids.
 * @throws Fault or DamagedFile when parcels cannot be read; RangeError for a name that the enrich catalog lacks; Interrupted; TimeUp.
 */
export const answersOfParcels = (
  request: ParcelAnswersRequest,
  environment: SearchEnvironment,
): Promise<ParcelAnswers> =>
  onGround(request, environment, async ground => {
    const { parcels, names } = request;
    if (!ground) return { parcels: parcels.map(() => null) };
    const places = await placesOf(parcels, ground);
    const answered: (ParcelAnswer | null)[] = [];
    for (const { id } of parcels) {
      await ground.step();
      const place = places.get(id);
      if (!place) {
        answered.push(null);
        continue;
      }
      const { key } = place.set.county.partition;
      const ref = { partition: key, ord: place.row };
      const { fields, point } = await enrichParcel({ ...environment, layers: ground.layers }, ref, names);
      const records = JSON.parse(UTF8.decode(fields)) as Record<string, NamedAnswer>;
      const answers = Object.fromEntries(Object.entries(records).map(([name, record]) => [name, slim(record)]));
      answered.push({ county: key, point, answers });
    }
    return { parcels: answered };
  });

/** A record without what differs from call to call and what says nothing about the value. */
const slim = ({ value, status, source, source_url, dataset_vintage, error, retryable }: NamedAnswer): NamedAnswer => ({
  ...{ value, status, source, source_url, dataset_vintage },
  ...(status === 'failed' ? { error, retryable } : {}),
});
