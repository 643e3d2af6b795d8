import type { Value } from '../../../datasets/dataset.ts';
import { AREA_BOX } from '../frame.ts';
import { Random } from '../random.ts';
import type { Table } from '../settlement/statistic.ts';
import type { Terrain } from './terrain.ts';

/** A station of the area with its published values; NOAA's codes: -9999 missing, -7777 more than none but rounded to it. */
type Station = Readonly<Record<string, Value>> & { readonly LONGITUDE: number; readonly LATITUDE: number };

/** Stations of the area, and how far around it they stand, in shares of its box: climate stations are far apart. */
const COUNT = 12;
const AROUND = 1.5;
const MISSING = -9999;
const TRACE = -7777;

const tenth = (value: number) => Math.round(value * 10) / 10;

/**
 * Climate normals by station, warmer at the coast and colder with height, in NOAA's units (degrees Fahrenheit, inches).
 * Every third station measures rain and snow alone, one never saw snow measured, and hot days at one are a trace.
 */
function stations(seed: number, terrain: Terrain): Station[] {
  const random = new Random(seed, 'climate stations');
  const { west, south, east, north } = AREA_BOX;
  return Array.from({ length: COUNT }, (_, i): Station => {
    const spread = i < 4 ? 0 : AROUND;
    const round = (value: number) => Math.round(value * 1e4) / 1e4;
    const lng = round(random.between(west - spread * (east - west), east + spread * (east - west)));
    const lat = round(random.between(south, north + spread * (north - south)));
    const height = terrain.elevation(lng, lat);
    const inland = Math.max(0, terrain.inland(lng, lat)) / 1000;
    const mean = tenth(46.2 - 0.0117 * height - 0.05 * inland + random.between(-0.4, 0.4));
    const warm = i % 3 !== 2;
    const thermal = (value: number) => (warm ? tenth(value) : MISSING);
    return {
      STATION: `USC0099${String(i + 1).padStart(4, '0')}`,
      NAME: `SYNTHETIC STATION ${i + 1}, ME US`,
      LATITUDE: lat,
      LONGITUDE: lng,
      ELEVATION: tenth(height),
      'ANN-TAVG-NORMAL': thermal(mean),
      'JJA-TMAX-NORMAL': thermal(mean + 30.4),
      'DJF-TMIN-NORMAL': thermal(mean - 30.1),
      'ANN-PRCP-NORMAL': tenth(46 + random.between(-3, 3)),
      'ANN-SNOW-NORMAL': i === 1 ? MISSING : tenth(58 + 0.6 * inland + random.between(-6, 6)),
      'ANN-HTDD-NORMAL': thermal((65 - mean) * 365.25 + 420),
      'ANN-CLDD-NORMAL': thermal(420 + random.between(-40, 40)),
      'ANN-TMAX-AVGNDS-GRTH090': i === 3 ? TRACE : thermal(2 + random.between(0, 2)),
      'ANN-TMIN-AVGNDS-LSTH032': thermal(140 + 0.5 * inland),
    };
  });
}

/** The stations as one text file under NOAA's column names. */
export function stationTable(seed: number, terrain: Terrain): Table {
  const rows = stations(seed, terrain);
  return { columns: Object.keys(rows[0]!), rows };
}
