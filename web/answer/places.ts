/** A place of an answer: degrees, and what it is called. */
export interface AnswerPlace {
  readonly lng: number;
  readonly lat: number;
  readonly label: string;
}

/** What can be drawn of an answer. Rings are lng,lat. */
export interface AnswerGround {
  readonly places: readonly AnswerPlace[];
  readonly rings: readonly (readonly (readonly [number, number])[])[];
  /** The explorer's view of it; null where it has none. */
  readonly address: string | null;
}

/** Places and rings that are drawn at most: more would be a blot. */
const MOST_PLACES = 200;
const MOST_RINGS = 500;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pointOf = ({ lat, lng }: Json) => (typeof lat === 'number' && typeof lng === 'number' ? { lat, lng } : null);

/** What an entry is called: its address or number, or its coordinate. */
function labelOf(entry: Json, { lat, lng }: { readonly lat: number; readonly lng: number }): string {
  const { parcel_match: match, geocode } = entry;
  const parcel = isObject(match) && isObject(match.parcel) ? match.parcel : entry.parcel;
  const named = [entry, parcel, geocode].filter(isObject);
  for (const key of ['address', 'resolved_address', 'normalized_address', 'name', 'apn'])
    for (const { [key]: text } of named) if (typeof text === 'string') return text;
  return `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
}

/** The places and areas of a tool's structured answer, in its order. */
export function groundOf(answer: unknown): AnswerGround {
  const places: AnswerPlace[] = [];
  const rings: (readonly (readonly [number, number])[])[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (Array.isArray(value)) for (const one of value) walk(one, depth);
    if (!isObject(value) || depth > 6 || places.length === MOST_PLACES) return;
    if ((value.type === 'Polygon' || value.type === 'MultiPolygon') && Array.isArray(value.coordinates)) {
      const polygons = value.type === 'Polygon' ? [value.coordinates] : value.coordinates;
      rings.push(...(polygons.flat(1) as (typeof rings)[number][]).slice(0, MOST_RINGS - rings.length));
      return;
    }
    const { analysis_point: point, resolved_location: resolved } = value;
    const at =
      pointOf(value) ?? (isObject(point) ? pointOf(point) : null) ?? (isObject(resolved) ? pointOf(resolved) : null);
    if (at) places.push({ ...at, label: labelOf(value, at) });
    // What stands in a place is about it.
    else for (const inner of Object.values(value)) walk(inner, depth + 1);
  };
  walk(answer, 0);
  const address = isObject(answer) && typeof answer.view_url === 'string' ? answer.view_url : null;
  return { places, rings, address };
}
