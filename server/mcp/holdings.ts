import { LANDMARK_SETS } from '../../datasets/landmark-sets.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { landmarkColumns } from '../../query/route/places/landmarks.ts';
import type { Routing } from '../proximity/provider/provider.ts';

/** The parts of a release that tools need and it may lack. */
export interface Holdings {
  readonly parcels: boolean;
  /** Whether it can be driven: by the roads of the release, or by a provider. */
  readonly roads: boolean;
  /** Whether any file of parcels has their owners. */
  readonly owners: boolean;
  /** Sets of places that no layer is there for, or none that tells what belongs to them. */
  readonly lackingSets: readonly string[];
}

const holdingsBy = new WeakMap<object, Holdings>();

/** The holdings of the open release: the same object as long as it is open. */
export function holdingsOf(engine: Pick<Engine, 'installed'>, { isOwn }: Pick<Routing, 'isOwn'>): Holdings {
  const installed = engine.installed();
  let holdings = holdingsBy.get(installed);
  if (!holdings) {
    const layers = new Set(installed.map(({ dataset, layer }) => `${dataset}:${layer}`));
    const publishes = (dataset: string, layer: string, columns: readonly string[]) =>
      installed.some(
        source =>
          source.dataset === dataset &&
          source.layer === layer &&
          columns.every(column => !source.unpublished.includes(column)),
      );
    holdings = {
      parcels: layers.has('parcel_store:main'),
      owners: publishes('parcel_store', 'main', ['owner']),
      roads: !isOwn || installed.some(({ layer }) => layer === 'road_graph'),
      lackingSets: Object.entries(LANDMARK_SETS)
        .filter(([set, { dataset, layer }]) => !publishes(dataset, layer, landmarkColumns(set)))
        .map(([set]) => set),
    };
    holdingsBy.set(installed, holdings);
  }
  return holdings;
}

/** A sentence for tools whose answers come from parcels; null where the release has some. */
export const withoutParcels = ({ parcels }: Holdings): string | null =>
  parcels ? null : 'This release has no parcels.';

/** Codes of the states of which the release has parcels. */
export const parcelStates = (engine: Pick<Engine, 'installed'>): string[] => {
  const parcels = engine.installed().filter(({ dataset }) => dataset === 'parcel_store');
  return [...new Set(parcels.flatMap(({ state }) => state ?? []))].sort();
};
