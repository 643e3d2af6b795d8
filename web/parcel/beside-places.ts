import { type Place, placeText, readPlace } from '../shell/address.ts';

/** The tool of the parcel's page in which a click on the map adds a parcel to the table. */
export const BESIDE_TOOL = 'beside';

/** Parcels that stand beside the first. */
export const MOST_BESIDE = 2;

/** The places of the parcels beside the first, as the address says them. */
export const besideOf = (text: string | undefined): Place[] =>
  (text ?? '')
    .split(';')
    .flatMap(one => readPlace(one) ?? [])
    .slice(0, MOST_BESIDE);

/** The address with a place more; the oldest gives way. */
export const withBeside = (text: string | undefined, place: Place): string =>
  [...besideOf(text), place].slice(-MOST_BESIDE).map(placeText).join(';');
