import { type Condition, columnsOf, parseCondition } from '../../../datasets/grammar/condition.ts';
import { LANDMARK_SETS } from '../../../datasets/landmark-sets.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import { memo } from '../../../datasets/memo.ts';
import type { Partition } from '../../../datasets/release.ts';
import { compile } from '../../evaluate/condition/condition.ts';
import { lackingReason, unpublishedPart } from '../../evaluate/unpublished.ts';
import { interiorPoint } from '../../geometry/area/interior-point.ts';
import { within } from '../../geometry/box-tree-nearest.ts';
import { distance } from '../../geometry/geodesic.ts';
import { Fault } from '../../release/fault.ts';
import type { Feature } from '../../release/features.ts';
import type { Layers } from '../../release/layers.ts';
import { partitionsNear } from '../../release/partitions-about.ts';

/** A set of places that the release has a layer of. */
interface Landmarks {
  readonly dataset: string;
  readonly layer: string;
  readonly name: string;
  /** Which features belong to it; all where there is none. */
  readonly where?: Condition;
}

/** Sets by name. An area stands for a point well inside it: that is where one drives to. */
const LANDMARKS: Readonly<Record<string, Landmarks>> = {
  '@airports': {
    ...LANDMARK_SETS['@airports'],
    name: 'ARPT_NAME',
    where: parseCondition("SITE_TYPE_CODE = 'A' and FACILITY_USE_CODE = 'PU'"),
  },
  '@substations': { ...LANDMARK_SETS['@substations'], name: 'name' },
  '@power_plants': { ...LANDMARK_SETS['@power_plants'], name: 'Plant Name' },
  /** Terminals where trailers and containers change between road and rail: a line is nowhere that a truck can go. */
  '@rail': { ...LANDMARK_SETS['@rail'], name: 'TERMINAL' },
  '@ports': { ...LANDMARK_SETS['@ports'], name: 'PORT_NAME' },
  '@urban_areas': { ...LANDMARK_SETS['@urban_areas'], name: 'NAME20' },
};

/** Columns that tell which features belong to a set. */
export const landmarkColumns = (set: string): readonly string[] => columnsOf(LANDMARKS[set]?.where ?? null);

/** A place of a set. */
export interface Landmark {
  readonly name: string | null;
  readonly lng: number;
  readonly lat: number;
  /** Geodesic, in a straight line. */
  readonly metres: number;
  readonly source: string;
  readonly sourceUrl: string | null;
  readonly vintage: string;
}

/** Places of a set around a point, and others that may belong to it. */
export interface LandmarksNear {
  readonly landmarks: readonly Landmark[];
  /** Nearest of the places of which the layer does not tell whether they belong to the set, and why; null where all tell. */
  readonly doubt: { readonly metres: readonly number[]; readonly reason: string } | null;
}

/** What is searched first, and by what the radius grows where that was too little. */
const FIRST_M = 25_000;
const GROWTH = 2.5;

/** Where one drives to. Lines have no such place. */
const pointOf = memo(({ geometry }: Feature): readonly [number, number] | null => {
  if (geometry.type === 'Point') return [geometry.xy[0]!, geometry.xy[1]!];
  return geometry.parts.length > 0 ? interiorPoint(geometry) : null;
});

/** Why it is not known whether a feature belongs to a set. */
function reasonOf(partition: Partition, where: Condition): string {
  const lack = unpublishedPart(partition, columnsOf(where), where);
  if (lack !== null) return lackingReason(partition, lack);
  return `what decides (${columnsOf(where).join(', ')}) is empty for some of its rows (${partition.provenance.source})`;
}

/**
 * The places of a set that are nearest to a point in a straight line, nearest first.
 * @param most how many. @param metres how far at most.
 * @throws Fault where the release has no such layer, or none that covers the point; Fault or DamagedFile for its files.
 */
export async function landmarksNear(
  layers: Layers,
  set: string,
  lng: number,
  lat: number,
  most: number,
  metres: number,
): Promise<LandmarksNear> {
  const { dataset, layer, name, where } = LANDMARKS[set]!;
  const { asOf } = layers.release.manifest;
  const belongs = where ? compile(where, asOf) : () => true;
  const mayBelong = where ? compile({ kind: 'unknown', of: where, meanings: {} }, asOf) : () => false;
  const { covering, searched } = await layers.at(dataset, layer, lng, lat);
  if (covering.length === 0)
    throw new Fault(`what ${set} is made of does not cover the place: ${layerWords({ dataset, layer })}`);
  const files: { readonly partition: Partition; readonly features: Awaited<ReturnType<Layers['features']>> }[] = [];
  for (const partition of partitionsNear(searched, lng, lat, metres))
    files.push({ partition, features: await layers.features(partition) });
  for (let radius = Math.min(FIRST_M, metres); ; radius = Math.min(radius * GROWTH, metres)) {
    const landmarks: Landmark[] = [];
    const doubted: { readonly metres: number; readonly partition: Partition }[] = [];
    for (const { partition, features } of files) {
      const { source, url, vintage } = partition.provenance;
      within([features.file.index], lng, lat, radius, (_, index) => {
        const feature = features.feature(index);
        const isMember = belongs(feature.properties);
        if (!isMember && !mayBelong(feature.properties)) return;
        const point = pointOf(feature);
        const away = point && distance(lng, lat, point[0], point[1]);
        if (away === null || away > radius) return;
        if (!isMember) {
          doubted.push({ metres: away, partition });
          return;
        }
        const title = feature.properties[name] ?? null;
        const cited = { source, sourceUrl: url, vintage };
        landmarks.push({
          name: title === null ? null : String(title),
          lng: point![0],
          lat: point![1],
          metres: away,
          ...cited,
        });
      });
    }
    if (landmarks.length < most && radius < metres) continue;
    landmarks.sort((a, b) => a.metres - b.metres || (a.name ?? '').localeCompare(b.name ?? ''));
    doubted.sort((a, b) => a.metres - b.metres);
    const [first] = doubted;
    const doubt = first && {
      metres: doubted.slice(0, most).map(one => one.metres),
      reason: reasonOf(first.partition, where!),
    };
    return { landmarks: landmarks.slice(0, most), doubt: doubt ?? null };
  }
}
