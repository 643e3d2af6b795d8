import type { PlaceLayer } from '../../datasets/place/place.ts';

/** The layer of parcels. */
export const PARCEL_LAYER = { dataset: 'parcel_store', layer: 'main' } as const;

/** Whether a layer holds parcels, which have an order of their own and computed columns. */
export function isParcelLayer(layer: Pick<PlaceLayer, 'dataset' | 'layer'>): boolean {
  return layer.dataset === PARCEL_LAYER.dataset && layer.layer === PARCEL_LAYER.layer;
}
