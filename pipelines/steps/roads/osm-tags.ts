const MPH = 1.609344;
/** Kilometres an hour of a limit that says none. */
const UNLIMITED = 130;

/** Kilometres an hour of a posted limit; null where there is none, or none that can be read. */
export function limitOf(maxspeed: string | null): number | null {
  if (maxspeed === null) return null;
  if (maxspeed === 'none') return UNLIMITED;
  if (maxspeed === 'walk') return 6;
  const [, digits, unit] = /^(\d{1,3}(?:\.\d+)?)\s*(mph|km\/h|kmh|kph|knots)?$/.exec(maxspeed.trim()) ?? [];
  if (digits === undefined) return null;
  const kmh = Number(digits) * (unit === 'mph' ? MPH : unit === 'knots' ? 1.852 : 1);
  return kmh >= 1 ? kmh : null;
}

/** Hours of a duration as `hh:mm`, `hh:mm:ss`, minutes or ISO 8601; null for others. */
export function hoursOf(duration: string | null): number | null {
  const [, hours, minutes, seconds] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(duration ?? '') ?? [];
  const [, isoHours, isoMinutes] = /^PT(?:(\d+)H)?(?:(\d+)M)?$/.exec(duration ?? '') ?? [];
  const plain = /^\d{1,4}$/.test(duration ?? '') ? Number(duration) / 60 : 0;
  const clock = Number(hours ?? 0) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600;
  const sum = clock + Number(isoHours ?? 0) + Number(isoMinutes ?? 0) / 60 + plain;
  return sum > 0 ? sum : null;
}
