import { unitFactor } from '../../datasets/codes/units.ts';
import type { RasterLayer } from '../../datasets/dataset.ts';
import type { FormatOptions } from '../../datasets/place/place.ts';
import type { CellType } from '../../query/format/cog.ts';
import { ReadError } from '../reader.ts';
import type { BandInfo } from './raster-info.ts';

/** Whole numbers by the type of GDAL: the stored type, least and greatest value, the type that has a free value too. */
const WHOLE: Readonly<Record<string, readonly [type: CellType, least: number, greatest: number, wider: CellType]>> = {
  Byte: ['uint8', 0, 255, 'int16'],
  // Few programs read 8 bits with a sign; the stored type has values to spare.
  Int8: ['int16', -128, 127, 'int16'],
  UInt16: ['uint16', 0, 65_535, 'int32'],
  Int16: ['int16', -32_768, 32_767, 'int32'],
  UInt32: ['uint32', 0, 2 ** 32 - 1, 'float64'],
  Int32: ['int32', -(2 ** 31), 2 ** 31 - 1, 'float64'],
};
const LEAST: Partial<Record<CellType, number>> = { int16: -32_768, int32: -(2 ** 31) };
const MOST_NARROW_BITS = 16;

/** Units by which a file says that it names none. */
const SILENT = ['unknown', 'none', 'n/a', 'unitless', 'dimensionless', '1'];

/** How the numbers of a band become the values that are stored. */
export interface CellChange {
  /** Value = stored number × factor + offset. */
  readonly factor: number;
  readonly offset: number;
  /** Stored numbers that mean no data, beside those that are NaN. */
  readonly empty: readonly number[];
  readonly type: CellType;
  /** What stands for no data. */
  readonly nodata: number | null;
}

/** The unit of a band: the place's word wins over the file's. */
function factorOf(file: string, band: BandInfo, layer: Pick<RasterLayer, 'unit'>, options: FormatOptions): number {
  const stated = options.unit ?? band.unit;
  if (layer.unit === undefined || stated === null || SILENT.includes(stated.toLowerCase())) return 1;
  const factor = unitFactor(stated, layer.unit);
  if (factor !== null) return factor;
  throw new ReadError(
    'format_unsupported',
    file,
    null,
    `has values in "${stated}", the layer has them in ${layer.unit}; state the unit of the values as \`unit\` in options`,
  );
}

/**
 * Whether Float32 keeps every whole number of a range, scaled, within half of its last digit: its own steps are nowhere larger
 * than those of the numbers.
 */
function isExactInFloat32(least: number, greatest: number, factor: number, offset: number): boolean {
  const largest = Math.max(Math.abs(least * factor + offset), Math.abs(greatest * factor + offset));
  return 2 ** (Math.floor(Math.log2(largest || 1)) - 23) <= Math.abs(factor);
}

/** @throws ReadError format_unsupported when the unit of the file is not one of the layer. */
export function changeOf(
  file: string,
  band: BandInfo,
  layer: Pick<RasterLayer, 'unit' | 'nodata'>,
  options: FormatOptions,
): CellChange {
  const unit = factorOf(file, band, layer, options);
  const [factor, offset] = [(options.scale ?? band.scale) * unit, band.offset * unit];
  const stated = options.nodata === undefined ? [] : [options.nodata].flat();
  const named = [...(band.nodata === null ? [] : [band.nodata]), ...stated, ...(layer.nodata ?? [])];
  // A cell of 32 bits holds the rounded number.
  const empty = band.type === 'Float32' ? named.map(Math.fround) : named;
  const of = (type: CellType, nodata: number | null): CellChange => ({ factor, offset, empty, type, nodata });
  const whole = WHOLE[band.type];
  const isSame = factor === 1 && offset === 0;
  if (!whole) return of(isSame && band.type === 'Float32' ? 'float32' : 'float64', Number.NaN);
  const [type, least, greatest, wider] = whole;
  if (!isSame) {
    const isNarrow = greatest - least < 2 ** MOST_NARROW_BITS;
    return of(isNarrow && isExactInFloat32(least, greatest, factor, offset) ? 'float32' : 'float64', Number.NaN);
  }
  const free = empty.find(value => Number.isInteger(value) && value >= least && value <= greatest);
  if (free !== undefined) return of(type, free);
  return band.isMasked ? of(wider, LEAST[wider] ?? Number.NaN) : of(type, null);
}
