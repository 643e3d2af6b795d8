import { measureIn, unitsNow } from '../values/units.ts';
import type { Near } from './near.ts';

/** A reach in words, such as "Within 1 mi of 44.80160, -68.77120". */
export function nearWords(near: Near): string {
  const place = 'address' in near ? near.address : `${near.lat}, ${near.lng}`;
  if ('drive_minutes' in near)
    return `Within ${near.drive_minutes} ${near.drive_minutes === 1 ? 'minute' : 'minutes'} by car of ${place}`;
  const { value, unit } = measureIn(near.within_m, 'm', unitsNow(), false);
  return `Within ${Number(value.toPrecision(3)).toLocaleString('en-US')} ${unit} of ${place}`;
}
