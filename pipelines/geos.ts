/** GEOS is loaded by query/ too, which must not import this room. */
export { GeosPolygons, loadGeos, type MakeValidMethod, polygonsToGeometry, ringsOf } from '../query/geos.ts';
