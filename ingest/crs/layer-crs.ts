import { askProj } from '../gdal.ts';
import type { GdalLayer } from '../gdal-job.ts';

const LNG_LAT = 'EPSG:4326';
/** Degrees by which a code may differ from the definition beside it: a decimeter. */
const SAME_DEGREES = 1e-6;

/**
 * The CRS of a layer that GDAL copied. A copy names a code where GDAL found one, which may be of another system than the definition
 * that it has read: to MapInfo's Massachusetts in meters it gives the code of that in feet. Then the definition holds.
 * @param stated what the copy says.
 */
export async function layerCrs({ crs, extent }: GdalLayer, stated: string | null): Promise<string | null> {
  if (stated === null || !crs || !extent || !/^\w+:\d+$/.test(stated)) return stated;
  const xy = Float64Array.from(extent);
  const [byCode, defined] = [
    await askProj({ from: stated, to: LNG_LAT, xy }),
    await askProj({ from: crs, to: LNG_LAT, xy }),
  ];
  if (!('xy' in byCode) || !('xy' in defined)) return stated;
  return byCode.xy.some((value, i) => Math.abs(value - defined.xy[i]!) > SAME_DEGREES) ? crs : stated;
}
