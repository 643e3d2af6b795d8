import type { OperatorName } from '../../../datasets/grammar/expression.ts';
import type { AreaForm } from '../area/area.ts';
import { form as aggWithin } from './agg-within-area.ts';
import { form as countWithin } from './count-within-area.ts';
import { form as nearestDistance } from './nearest-distance-area.ts';
import { form as overlapFraction } from './overlap-fraction-area.ts';
import { form as polygonAttr } from './polygon-attr-area.ts';
import { form as polygonWithin } from './polygon-within-area.ts';
import { form as rasterSample } from './raster-sample-area.ts';
import { form as rasterTerrain } from './raster-terrain-area.ts';
import { form as rasterZonal } from './raster-zonal-area.ts';

/** The operators that have an area form; a field of any other is known at the area's interior point alone. */
export const AREA_FORMS: ReadonlyMap<OperatorName, AreaForm> = new Map(
  [
    aggWithin,
    countWithin,
    nearestDistance,
    overlapFraction,
    polygonAttr,
    polygonWithin,
    rasterSample,
    rasterTerrain,
    rasterZonal,
  ].map(form => [form.name, form]),
);
