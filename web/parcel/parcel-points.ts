import { useEffect } from 'preact/hooks';
import { boxAround, fitOnMap, listenToShapes, showOnMap } from '../map/scene.ts';
import { TONES } from '../map/tones.ts';
import { go, type Place, placeText } from '../shell/address.ts';
import { useTheme } from '../shell/theme.ts';

/** A parcel that another one leads to. */
export interface OtherParcel {
  readonly parcel_id: string;
  readonly apn: string | null;
  readonly address: string | null;
  readonly analysis_point: Place;
}

/** What the page of another parcel is asked. */
export const stateOf = (
  { analysis_point: point, apn }: OtherParcel,
  map: string,
): Readonly<Record<string, string>> => ({
  at: placeText(point),
  apn: apn ?? '',
  map,
});

/** Shows parcels as points of the map, whose click opens them. @param here the parcel that they are told of, which the map shows too; null while it is not known. */
export function useParcelPoints(parcels: readonly OtherParcel[], map: string): void {
  const theme = useTheme();
  const key = parcels.map(({ parcel_id: id }) => id).join();
  useEffect(() => {
    showOnMap({
      shapes: parcels.map(({ analysis_point: { lng, lat } }, id) => ({
        ...{ id, color: TONES[theme].kinds[1]!, opacity: 1 },
        geometry: { type: 'Point', coordinates: [lng, lat] },
      })),
    });
    return listenToShapes(id => {
      const parcel = parcels[id];
      if (parcel) go({ view: 'parcel', state: stateOf(parcel, map) });
    });
  }, [key, theme, map]);
}

/** Moves the map so that parcels are seen. */
export function fitParcels(parcels: readonly OtherParcel[]): void {
  const box = boxAround([
    { type: 'Polygon', coordinates: parcels.map(({ analysis_point: { lng, lat } }) => [lng, lat]) },
  ]);
  if (box) fitOnMap(box);
}
