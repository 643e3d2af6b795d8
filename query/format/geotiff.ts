import type { GeoTIFFImage } from 'geotiff';
import { type GeoKeys, toProj4 } from 'geotiff-geokeys-to-proj4';
import proj4 from 'proj4';

/** GTRasterTypeGeoKey of a raster whose cells are points. */
const PIXEL_IS_POINT = 2;

/** Affine transform from pixel to CRS as GDAL writes it: x = g0 + col·g1 + row·g2, y = g3 + col·g4 + row·g5. */
export type GeoTransform = readonly [number, number, number, number, number, number];

/**
 * The geotransform of an image. GTRasterType PixelIsPoint puts the tie point at a cell's centre: GDAL moves the
 * origin by half a cell so that cells are areas either way, and so does this.
 * @returns null when it has neither ModelPixelScale and ModelTiepoint nor ModelTransformation.
 */
export async function geoTransform(image: GeoTIFFImage): Promise<GeoTransform | null> {
  const directory = image.getFileDirectory();
  const matrix = (await directory.loadValue('ModelTransformation')) as ArrayLike<number> | undefined;
  const scale = (await directory.loadValue('ModelPixelScale')) as ArrayLike<number> | undefined;
  const tie = (await directory.loadValue('ModelTiepoint')) as ArrayLike<number> | undefined;
  let g: GeoTransform;
  if (scale && tie) {
    const [sx, sy] = [scale[0]!, scale[1]!];
    g = [tie[3]! - tie[0]! * sx, sx, 0, tie[4]! + tie[1]! * sy, 0, -sy];
  } else if (matrix) g = [matrix[3]!, matrix[0]!, matrix[1]!, matrix[7]!, matrix[4]!, matrix[5]!];
  else return null;
  if (image.getGeoKeys()?.GTRasterTypeGeoKey !== PIXEL_IS_POINT) return g;
  return [g[0] - (g[1] + g[2]) / 2, g[1], g[2], g[3] - (g[4] + g[5]) / 2, g[4], g[5]];
}

/** Between lng,lat (WGS84) and the CRS of the geokeys, in the CRS's own units. */
interface Projection {
  forward(lng: number, lat: number): readonly [number, number];
  inverse(x: number, y: number): readonly [number, number];
}

const degrees: Projection = { forward: (lng, lat) => [lng, lat], inverse: (x, y) => [x, y] };

/** The projection of a proj string, or of `EPSG:4326`. */
export function projectionBy(definition: string): Projection {
  if (definition === 'EPSG:4326') return degrees;
  const converter = proj4('EPSG:4326', definition);
  return {
    forward: (lng, lat) => converter.forward([lng, lat]) as [number, number],
    inverse: (x, y) => converter.inverse([x, y]) as [number, number],
  };
}

/**
 * The projection that the geokeys of an image tell, for releases of earlier builds.
 * @returns null when it has no geokeys, or proj has no such CRS.
 */
export function projectionOf(image: GeoTIFFImage): Projection | null {
  const keys = image.getGeoKeys();
  if (!keys) return null;
  const crs = toProj4(keys as unknown as GeoKeys);
  if (!crs.proj4) return null;
  if (crs.isGCS) return degrees;
  const converter = projectionBy(crs.proj4);
  // The unit is either part of the definition or beside it.
  const { x: fx, y: fy } =
    /\+(?:to_meter|units)=/.test(crs.proj4) || !crs.coordinatesConversionParameters
      ? { x: 1, y: 1 }
      : crs.coordinatesConversionParameters;
  return {
    forward(lng, lat) {
      const [x, y] = converter.forward(lng, lat);
      return [x / fx, y / fy];
    },
    inverse: (x, y) => converter.inverse(x * fx, y * fy),
  };
}
