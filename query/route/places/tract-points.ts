import type { Partition } from '../../../datasets/release.ts';
import { boxLowerBound, distance } from '../../geometry/geodesic.ts';
import { Fault } from '../../release/fault.ts';
import type { Layers } from '../../release/layers.ts';

/** Where the people of a tract live on average. */
export interface TractPoint {
  readonly geoid: string;
  readonly lng: number;
  readonly lat: number;
  readonly population: number;
}

/** The points of the blocks, and where the release lacks them the blocks themselves. */
const LAYERS = ['tabblock20_internal_points', 'tabblock20'] as const;

/** Digits of a tract at the head of a block's number. */
const TRACT = 11;

/** Tracts of one partition's blocks, made once. */
class Tracts {
  readonly points: readonly TractPoint[];
  constructor(points: readonly TractPoint[]) {
    this.points = points;
  }
}

interface Sum {
  people: number;
  blocks: number;
  lng: number;
  lat: number;
  /** The same without weights, for tracts where nobody lives. */
  plainLng: number;
  plainLat: number;
}

/** Population-weighted means of block points by tract; a tract without people stands in the middle of its blocks. */
async function tractsOf(layers: Layers, partition: Partition): Promise<Tracts> {
  const { file } = await layers.features(partition);
  const key = `tract points of ${layers.idOf(layers.file(partition, 'features'))}`;
  const cached = layers.cache.get(key) as Tracts | undefined;
  if (cached) return cached;
  const sums = new Map<string, Sum>();
  for (let i = 0; i < file.count; i++) {
    const { GEOID20, POP20 } = file.properties(i);
    const [west, south, east, north] = file.box(i);
    const geoid = String(GEOID20).slice(0, TRACT);
    const people = Math.max(0, Number(POP20 ?? 0));
    const sum = sums.get(geoid) ?? { people: 0, blocks: 0, lng: 0, lat: 0, plainLng: 0, plainLat: 0 };
    sums.set(geoid, sum);
    const [lng, lat] = [(west + east) / 2, (south + north) / 2];
    sum.people += people;
    sum.blocks++;
    sum.lng += lng * people;
    sum.lat += lat * people;
    sum.plainLng += lng;
    sum.plainLat += lat;
  }
  const built = new Tracts(
    [...sums].map(([geoid, { people, blocks, lng, lat, plainLng, plainLat }]) =>
      people > 0
        ? { geoid, lng: lng / people, lat: lat / people, population: people }
        : { geoid, lng: plainLng / blocks, lat: plainLat / blocks, population: 0 },
    ),
  );
  layers.cache.set(key, built, 200 * built.points.length);
  return built;
}

/** Tracts near a place, and the partitions that they are of. */
interface TractsNear {
  readonly tracts: readonly TractPoint[];
  readonly partitions: readonly Partition[];
  /** Whether the place lies in a partition: otherwise nothing is known of its surroundings. */
  readonly covers: boolean;
}

/**
 * Every tract whose population-weighted point lies within a distance, by its blocks of the 2020 census.
 * @throws Fault where the release has no blocks; Fault or DamagedFile for its files.
 */
export async function tractsNear(layers: Layers, lng: number, lat: number, metres: number): Promise<TractsNear> {
  const layer = LAYERS.find(name => layers.release.layer('census_tiger', name));
  if (!layer) throw new Fault('the release has no census blocks (census_tiger:tabblock20_internal_points)');
  const version = layers.version('census_tiger', layer);
  const near = version.partitions.filter(
    ({ box }) => box !== null && boxLowerBound(lng, lat, Float64Array.from(box), 0) <= metres,
  );
  const tracts = new Map<string, TractPoint>();
  for (const partition of near)
    for (const tract of (await tractsOf(layers, partition)).points)
      if (distance(lng, lat, tract.lng, tract.lat) <= metres) tracts.set(tract.geoid, tract);
  const { covering } = await layers.at('census_tiger', layer, lng, lat);
  return { tracts: [...tracts.values()], partitions: near, covers: covering.length > 0 };
}
