import { inSteps } from '../../datasets/precision.ts';

/** Square metres of the international acre (NIST SP 811, Appendix B: 4 046.856 4224), in which acreage is given. */
export const ACRE_M2 = 4046.8564224;

/** Step of a parcel's square metres: far finer than parcels are surveyed. */
const PARCEL_AREA_STEP = 0.1;

/** A parcel's area in square metres as every answer and filter has it: to the tenth. */
export const roundParcelArea = (squareMetres: number): number => inSteps(squareMetres, PARCEL_AREA_STEP);

/** The same area from international acres. */
export const parcelSquareMetres = (acres: number): number => roundParcelArea(acres * ACRE_M2);
