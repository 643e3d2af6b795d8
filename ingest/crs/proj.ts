import type { CrsAnswer, CrsDescription, CrsQuestion, DatabaseQuestion } from '../gdal-job.ts';
import type { GdalModule } from '../gdal-library.ts';

/** Transformations that a thread keeps: making one takes PROJ up to 70 ms. */
const MOST_KEPT = 64;
/** OAMS_TRADITIONAL_GIS_ORDER: easting or longitude first, as files store them. */
const LONGITUDE_FIRST = 0;
const POINTS_AT_ONCE = 1 << 16;

const transformations = new Map<string, number>();

function spatialReference(module: GdalModule, crs: string): number | null {
  const reference: number = module.ccall('OSRNewSpatialReference', 'number', ['string'], [null]);
  const failed: number = module.ccall('OSRSetFromUserInput', 'number', ['number', 'string'], [reference, crs]);
  if (failed) {
    module.ccall('OSRDestroySpatialReference', 'number', ['number'], [reference]);
    return null;
  }
  module.ccall('OSRSetAxisMappingStrategy', null, ['number', 'number'], [reference, LONGITUDE_FIRST]);
  return reference;
}

function transformation(module: GdalModule, from: string, to: string): number | null {
  const key = `${from}\n${to}`;
  const kept = transformations.get(key);
  if (kept) return kept;
  const [source, target] = [spatialReference(module, from), spatialReference(module, to)];
  const pointer: number =
    source === null || target === null
      ? 0
      : module.ccall('OCTNewCoordinateTransformation', 'number', ['number', 'number'], [source, target]);
  // A transformation has its own copies of both.
  for (const reference of [source, target])
    if (reference !== null) module.ccall('OSRDestroySpatialReference', 'number', ['number'], [reference]);
  if (!pointer) return null;
  if (transformations.size >= MOST_KEPT) {
    const [oldest, stale] = transformations.entries().next().value!;
    module.ccall('OCTDestroyCoordinateTransformation', 'number', ['number'], [stale]);
    transformations.delete(oldest);
  }
  transformations.set(key, pointer);
  return pointer;
}

/** Transforms x,y pairs in place. Pairs outside the transformation become NaN. @returns whether there is such a transformation. */
function transform(module: GdalModule, from: string, to: string, xy: Float64Array): boolean {
  const pointer = transformation(module, from, to);
  if (pointer === null) return false;
  const most = Math.min(xy.length / 2, POINTS_AT_ONCE);
  const memory = module._malloc(most * 3 * Float64Array.BYTES_PER_ELEMENT);
  try {
    for (let start = 0; start < xy.length / 2; start += most) {
      const count = Math.min(most, xy.length / 2 - start);
      const first = memory / Float64Array.BYTES_PER_ELEMENT;
      const before = module.HEAPF64;
      for (let i = 0; i < count; i++) {
        before[first + i] = xy[(start + i) * 2]!;
        before[first + most + i] = xy[(start + i) * 2 + 1]!;
        before[first + most * 2 + i] = 0;
      }
      const axes = [0, 1, 2].map(axis => memory + axis * most * Float64Array.BYTES_PER_ELEMENT);
      module.ccall('OCTTransform', 'number', Array(5).fill('number'), [pointer, count, ...axes]);
      // The memory may have grown, and then the old view is empty.
      const after = module.HEAPF64;
      for (let i = 0; i < count; i++) {
        const [x, y] = [after[first + i]!, after[first + most + i]!];
        const valid = Number.isFinite(x) && Number.isFinite(y);
        xy[(start + i) * 2] = valid ? x : NaN;
        xy[(start + i) * 2 + 1] = valid ? y : NaN;
      }
    }
  } finally {
    module._free(memory);
  }
  return true;
}

function textList(module: GdalModule, texts: readonly string[]): { readonly pointer: number; free(): unknown } {
  const pointers = texts.map(text => {
    const bytes = module.lengthBytesUTF8(text) + 1;
    const pointer = module._malloc(bytes);
    module.stringToUTF8(text, pointer, bytes);
    return pointer;
  });
  const list = module._malloc((pointers.length + 1) * 4);
  [...pointers, 0].forEach((pointer, i) => {
    module.HEAP32[list / 4 + i] = pointer;
  });
  return { pointer: list, free: () => [...pointers, list].map(pointer => module._free(pointer)) };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The CRS of a virtual dataset as gdalinfo tells it. */
function informationOn(module: GdalModule, dataset: string): CrsDescription | null {
  const handle: number = module.ccall('GDALOpen', 'number', ['string', 'number'], [dataset, 0]);
  if (!handle) return null;
  const list = textList(module, ['-json', '-proj4', '-wkt_format', 'WKT2_2019']);
  const options: number = module.ccall('GDALInfoOptionsNew', 'number', ['number', 'number'], [list.pointer, 0]);
  const text = module.ccall<string>('GDALInfo', 'string', ['number', 'number'], [handle, options]);
  module.ccall('GDALInfoOptionsFree', null, ['number'], [options]);
  list.free();
  module.ccall('GDALClose', null, ['number'], [handle]);
  const { wkt, proj4 } = JSON.parse(text).coordinateSystem ?? {};
  return wkt ? { wkt, definition: proj4?.trim() || null } : null;
}

/** Describes the CRS of a statement: a code, WKT, PROJJSON or a proj string. */
function describe(module: GdalModule, stated: string): CrsAnswer {
  const dataset = `<VRTDataset rasterXSize="1" rasterYSize="1"><SRS>${escaped(stated)}</SRS><VRTRasterBand dataType="Byte" band="1"/></VRTDataset>`;
  return { description: informationOn(module, dataset) };
}

/** Answers a question about a CRS. @param complaint the first error of GDAL or PROJ since the question came. */
export function answerCrs(
  module: GdalModule,
  question: Exclude<CrsQuestion, DatabaseQuestion>,
  complaint: () => string | null,
): CrsAnswer {
  if ('describe' in question) return describe(module, question.describe);
  const { from, to, xy } = question;
  if (!transform(module, from, to, xy)) return { refusal: complaint() ?? 'PROJ knows no transformation' };
  const lacking = /Grid [^.]+\.\w+ is not available/.exec(complaint() ?? '')?.[0];
  return lacking ? { refusal: complaint()! } : { xy };
}
