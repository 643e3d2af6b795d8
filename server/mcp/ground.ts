import { LANDMARK_SETS } from '../../datasets/landmark-sets.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import type { Routing } from '../proximity/provider/provider.ts';

/** What tools need of a release and may not have. */
export interface Ground {
  readonly parcels: boolean;
  /** Whether it can be driven: by the roads of the release, or by a provider. */
  readonly roads: boolean;
  /** Sets of places that no layer is there for. */
  readonly lackingSets: readonly string[];
}

const grounds = new WeakMap<object, Ground>();

/** What the open release has for tools: the same object as long as it is open. */
export function groundOf(engine: Pick<Engine, 'installed'>, { isOwn }: Pick<Routing, 'isOwn'>): Ground {
  const installed = engine.installed();
  let ground = grounds.get(installed);
  if (!ground) {
    const layers = new Set(installed.map(({ dataset, layer }) => `${dataset}:${layer}`));
    ground = {
      parcels: layers.has('parcel_store:main'),
      roads: !isOwn || installed.some(({ layer }) => layer === 'road_graph'),
      lackingSets: Object.entries(LANDMARK_SETS)
        .filter(([, { dataset, layer }]) => !layers.has(`${dataset}:${layer}`))
        .map(([set]) => set),
    };
    grounds.set(installed, ground);
  }
  return ground;
}

/** Said of tools whose answers come from parcels. */
export const withoutParcels = ({ parcels }: Ground): string | null => (parcels ? null : 'This release has no parcels.');
