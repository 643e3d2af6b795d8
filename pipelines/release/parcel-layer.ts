import type { PlaceLayer } from '../../datasets/place/place.ts';

/** Whether a layer holds parcels, which have an order of their own and computed columns. */
export function isParcelLayer(layer: Pick<PlaceLayer, 'dataset' | 'layer'>): boolean {
  return layer.dataset === 'parcel_store' && layer.layer === 'main';
}
