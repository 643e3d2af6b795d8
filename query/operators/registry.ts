import type { OperatorName } from '../../datasets/expression.ts';
import type { Operator } from '../context.ts';
import { operator as aggWithin } from './agg_within.ts';
import { operator as areaKeyAttr } from './area_key_attr.ts';
import { operator as countWithin } from './count_within.ts';
import { operator as derived } from './derived.ts';
import { operator as nearestAttr } from './nearest_attr.ts';
import { operator as nearestDistance } from './nearest_distance.ts';
import { operator as overlapFraction } from './overlap_fraction.ts';
import { operator as parcelAttr } from './parcel_attr.ts';
import { operator as polygonAttr } from './polygon_attr.ts';
import { operator as polygonWithin } from './polygon_within.ts';
import { operator as rasterSample } from './raster_sample.ts';
import { operator as rasterTerrain } from './raster_terrain.ts';
import { operator as rasterZonal } from './raster_zonal.ts';
import { operator as stationValue } from './station_value.ts';

/** The operators that are built, by name; a field of any other fails as not built. */
export const OPERATORS: ReadonlyMap<OperatorName, Operator> = new Map(
  [
    aggWithin,
    areaKeyAttr,
    countWithin,
    derived,
    nearestAttr,
    nearestDistance,
    overlapFraction,
    parcelAttr,
    polygonAttr,
    polygonWithin,
    rasterSample,
    rasterTerrain,
    rasterZonal,
    stationValue,
  ].map(o => [o.name, o]),
);
