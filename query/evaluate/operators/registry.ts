import type { Expression, OperatorName } from '../../../datasets/grammar/expression.ts';
import { Fault } from '../../release/fault.ts';
import type { Release } from '../../release/open-release.ts';
import type { Operator } from '../context.ts';
import { operator as aggWithin } from './agg-within.ts';
import { operator as areaKeyAttr } from './area-key-attr.ts';
import { operator as countWithin } from './count-within.ts';
import { operator as derived } from './derived.ts';
import { operator as nearestAttr } from './nearest-attr.ts';
import { operator as nearestDistance } from './nearest-distance.ts';
import { operator as overlapFraction } from './overlap-fraction.ts';
import { operator as parcelAttr } from './parcel-attr.ts';
import { operator as polygonAttr } from './polygon-attr.ts';
import { operator as polygonWithin } from './polygon-within.ts';
import { operator as rasterSample } from './raster-sample.ts';
import { operator as rasterTerrain } from './raster-terrain.ts';
import { operator as rasterZonal } from './raster-zonal.ts';
import { operator as stationValue } from './station-value.ts';

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

/** The operator of a call. @throws Fault where nothing can be answered: no release, or no such operator. */
export function operatorOf(release: Release | null, { op }: Expression): Operator {
  if (!release) throw new Fault('no release is installed; nothing was published yet');
  const operator = OPERATORS.get(op);
  if (!operator) throw new Fault(`operator ${op} is not built yet`);
  return operator;
}
