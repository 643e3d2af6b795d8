import type { Partition } from '../../datasets/release.ts';
import type { Point } from '../evaluate/answer.ts';
import type { TaskEnvironment } from '../evaluate/environment.ts';
import { openPoint } from '../evaluate/evaluate.ts';
import { PARCELS, parcelMatch } from '../evaluate/parcel-at-point.ts';
import { parcelId } from '../format/parcel-id.ts';
import { addressPartitions } from '../geocode/index/address-partition.ts';
import { Localities } from '../geocode/locality.ts';
import { Fault, Interrupted } from '../release/fault.ts';
import type { Layers } from '../release/layers.ts';
import { lacksFile, lacksRows } from '../release/pack/pack.ts';
import { addParcels } from './parcel-names.ts';
import { addPlaces } from './place-names.ts';
import { Shortlist, type Suggestion, type SuggestionKind } from './shortlist.ts';
import { addStreets } from './street-names.ts';

/** Counties, and partitions of addresses, that are looked through for one text: those nearest to the point. */
const MOST_COUNTIES = 8;
const MOST_ADDRESSES = 16;

/** Candidates that are kept for each suggestion: one text may stand in several sources, and what is withheld falls away. */
const SPARE = 4;

/** What is looked for. */
export interface SuggestRequest {
  /** As typed, 2 to 256 characters. */
  readonly text: string;
  /** What is near comes first; null where nobody says where. */
  readonly point: Point | null;
  readonly kinds: readonly SuggestionKind[];
  /** 1 to 10. */
  readonly limit: number;
}

/** The partitions nearest to a point, without one the largest. */
function nearest<T>(all: readonly T[], partitionOf: (one: T) => Partition, point: Point | null, most: number): T[] {
  if (all.length <= most) return [...all];
  const far = (one: T): number => {
    const { box, rows } = partitionOf(one);
    if (!point) return -rows;
    return box ? Localities.metresTo({ box }, point.lng, point.lat) : Number.POSITIVE_INFINITY;
  };
  const ranked = all.map(one => ({ one, far: far(one) })).sort((a, b) => a.far - b.far);
  return ranked.slice(0, most).map(({ one }) => one);
}

/** The parcel that holds a place, as enrichment would name it there; null where none or more than one does. */
async function parcelAt(point: Point, environment: TaskEnvironment, layers: Layers): Promise<string | null> {
  if (!layers.release.layer(PARCELS.dataset, PARCELS.layer)) return null;
  const match = await parcelMatch(openPoint(point, environment, layers).ctx);
  if (match.status !== 'matched' || match.type !== 'contains') return null;
  return parcelId(match.hit.feature.properties.parcel_key ?? null);
}

/**
 * What a text that is being typed may mean (docs/suggestions.md): addresses, parcel numbers, owners, streets and places that begin
 * with it; where those are too few, such as begin with it but for one typing error. Ranked by that, then by nearness.
 * @param layers of the release of the environment.
 * @throws Fault or DamagedFile when a file that is needed cannot be read, or the time is up; Interrupted once nobody waits.
 */
export async function suggest(
  { text, point, kinds, limit }: SuggestRequest,
  environment: TaskEnvironment,
  layers: Layers,
): Promise<Suggestion[]> {
  const { deadline, stopped } = environment;
  const { release, cache } = layers;
  const check = () => {
    if (stopped()) throw new Interrupted();
    if (Date.now() > deadline) throw new Fault('the time for this text was up', true);
  };
  const localities = new Localities(layers);
  const wanted = new Set(kinds);
  // A pack suggests what it has.
  const ofParcels = (release.layer(PARCELS.dataset, PARCELS.layer)?.partitions ?? []).filter(
    county => !lacksRows(release, county),
  );
  const ofAddresses = addressPartitions(layers).filter(
    ({ partition: { files } }) => !files.some(file => file.role === 'addresses' && lacksFile(release, file)),
  );
  const counties = nearest(ofParcels, county => county, point, MOST_COUNTIES);
  const addresses = nearest(ofAddresses, ({ partition }) => partition, point, MOST_ADDRESSES);
  const listed = async (near: boolean): Promise<Shortlist> => {
    const list = new Shortlist(point, SPARE * limit);
    if (wanted.has('place')) await addPlaces(localities, cache, text, near, list);
    for (const county of counties)
      for (const [kind, table] of [
        ['parcel', 'number'],
        ['owner', 'owner'],
      ] as const) {
        check();
        if (wanted.has(kind)) await addParcels(layers, county, table, text, near, list);
      }
    if (wanted.has('address') || wanted.has('street'))
      for (const part of addresses) {
        check();
        await addStreets(layers, part, wanted, text, near, list, check);
      }
    return list;
  };
  const exact = await (await listed(false)).read(limit);
  const found = exact.length === limit ? exact : await (await listed(true)).read(limit, exact);
  const named: Suggestion[] = [];
  for (const one of found)
    named.push(one.kind === 'address' ? { ...one, parcelId: await parcelAt(one, environment, layers) } : one);
  return named;
}
