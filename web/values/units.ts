import { useEffect, useState } from 'preact/hooks';

/** In what measures are read: feet, miles and acres as the country measures, or meters and hectares. */
export type Units = 'us' | 'metric';

const KEY = 'plat.units';
const listeners = new Set<() => void>();

/** The units that are shown. */
export const unitsNow = (): Units => (localStorage.getItem(KEY) === 'metric' ? 'metric' : 'us');

/** Shows the other units, now and when the page is opened again. */
export function switchUnits(): void {
  if (unitsNow() === 'us') localStorage.setItem(KEY, 'metric');
  else localStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

/** Calls back each time other units are shown. @returns a function that stops it. */
export function followUnits(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The units that are shown; the component is drawn again when they change. */
export function useUnits(): Units {
  const [units, setUnits] = useState(unitsNow);
  useEffect(() => {
    const read = () => setUnits(unitsNow());
    listeners.add(read);
    return () => {
      listeners.delete(read);
    };
  }, []);
  return units;
}

/** A number and its unit. */
export interface Measure {
  readonly value: number;
  readonly unit: string;
}

/** Meters of a foot and of a mile, square meters of an acre and of a square foot (NIST Special Publication 811, appendix B.8). */
const FOOT = 0.3048;
const MILE = 1609.344;
const ACRE = 4046.8564224;
const SQUARE_FOOT = FOOT * FOOT;
/** Feet from which a way is told in miles, and meters from which it is in kilometers. */
const LONG_FEET = 2640;
const LONG_METERS = 2000;

type Conversion = (value: number, isHeight: boolean) => Measure;

/** Units of the catalog as the country measures. */
const TO_US: Readonly<Record<string, Conversion>> = {
  m: (value, isHeight) =>
    !isHeight && Math.abs(value / FOOT) >= LONG_FEET
      ? { value: value / MILE, unit: 'mi' }
      : { value: value / FOOT, unit: 'ft' },
  m2: value =>
    Math.abs(value) >= ACRE ? { value: value / ACRE, unit: 'acres' } : { value: value / SQUARE_FOOT, unit: 'sq ft' },
  cm: value => ({ value: value / 2.54, unit: 'in' }),
  mm: value => ({ value: value / 25.4, unit: 'in' }),
  degC: value => ({ value: value * 1.8 + 32, unit: 'degF' }),
  'm/s': value => ({ value: (value * 3600) / MILE, unit: 'mph' }),
  'm3/s': value => ({ value: value / FOOT ** 3, unit: 'cu ft/s' }),
  'm3/day': value => ({ value: value / 0.003785411784, unit: 'gal/day' }),
  'kg/MWh': value => ({ value: value / 0.45359237, unit: 'lb/MWh' }),
};

/** Units of the catalog that are the country's own, in metric ones. */
const TO_METRIC: Readonly<Record<string, Conversion>> = {
  m: (value, isHeight) =>
    !isHeight && Math.abs(value) >= LONG_METERS ? { value: value / 1000, unit: 'km' } : { value, unit: 'm' },
  acres: value => ({ value: (value * ACRE) / 10_000, unit: 'hectares' }),
  'sq ft': value => ({ value: value * SQUARE_FOOT, unit: 'm2' }),
  ft: value => ({ value: value * FOOT, unit: 'm' }),
  in: value => ({ value: value * 2.54, unit: 'cm' }),
};

/** A measure in the units of the reader. Pure. @param isHeight heights and depths are never told in miles. */
export function measureIn(value: number, unit: string, units: Units, isHeight: boolean): Measure {
  const convert = (units === 'us' ? TO_US : TO_METRIC)[unit];
  return convert ? convert(value, isHeight) : { value, unit };
}

/** Whether a field of meters is a height or a depth and no way along the ground. */
export const isHeight = (name: string): boolean => !/distance|dist_m$/.test(name);
