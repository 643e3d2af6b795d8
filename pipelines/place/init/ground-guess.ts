import type { GroundKind } from '../../../datasets/place/ground-kind.ts';
import type { Area, GroundGuess, GuessedColumn } from './guess.ts';
import type { Profile } from './profile.ts';

/** Greatest share of rows that are ground: a column that marks more marks something else. */
const MOST = 0.05;
/** Least rows of a number that no other one resembles. */
const REPEATS = 3;
/** Score of a guess by number, by a number that only repeats, and by class. */
const SCORES = { number: 0.85, repeat: 0.55, class: 0.6 } as const;

const ROAD =
  '(?:ROAD|STREET|AVENUE|HIGHWAY|HWY|FREEWAY|EXPRESSWAY|TURNPIKE|INTERSTATE|ALLEY|ROW|R/W|RIGHT[ -]?OF[ -]?WAY|PUBLIC WAY)S?';
const RAILROAD = '(?:RAIL ?ROAD|RAILWAY|RAIL|RR)S?';
const WATER =
  '(?:WATER|WATERWAY|WATER BODY|OPEN WATER|RIVER|LAKE|POND|RESERVOIR|STREAM|CREEK|CANAL|BAY|HARBOR|OCEAN|SEA|HYDRO|HYDROGRAPHY)S?';
/** Words of a number, whatever stands beside them: ROAD-LOCAL. */
const NUMBERS: readonly (readonly [RegExp, GroundKind])[] = [
  [new RegExp(`(?<![A-Z])${RAILROAD}(?![A-Z])`, 'i'), 'railroad'],
  [new RegExp(`(?<![A-Z])(?:${ROAD}|RD|ST)(?![A-Z])`, 'i'), 'road'],
  [new RegExp(`(?<![A-Z])${WATER}(?![A-Z])`, 'i'), 'water'],
];
/** A whole class: the Waterfront Lot and the Roadside Stand of an assessor are parcels, and so is what a railroad owns. */
const CLASSES: readonly (readonly [RegExp, GroundKind])[] = [
  [new RegExp(`^(?:(?:PUBLIC|PRIVATE|CITY|TOWN|COUNTY|STATE|US) )?${ROAD}(?: (?:AND|&) ${ROAD})?$`, 'i'), 'road'],
  [new RegExp(`^(?:(?:PUBLIC|PRIVATE|OPEN) )?${WATER}(?: (?:BED|BOTTOM))?$`, 'i'), 'water'],
];

const kindIn = (words: readonly (readonly [RegExp, GroundKind])[], text: string): GroundKind | null =>
  words.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/** Whether a number names a route: I-95, US-1A, SR 12, and ME-15 in Maine. */
const isRoute = (number: string, state: string | null): boolean =>
  new RegExp(`^(?:I|US|SR|CR|RTE?|ROUTE|HWY|${state ?? 'US'})[- ]\\d{1,4}[A-Z]?$`, 'i').test(number);

/** Returns the form of a number: R14-006-D becomes A9-9-A. */
const formOf = (number: string): string => number.replace(/\d+/g, '9').replace(/[A-Z]+/gi, 'A');

type Marked = { readonly value: string; readonly rows: number; readonly kind: GroundKind; readonly repeats: boolean };

/** Returns the numbers that are names or routes, or that repeat and resemble no other. */
function markedNumbers({ values, names }: Profile, state: string | null): Marked[] {
  const all = new Map([...values, ...names].map(([value, rows]) => [String(value), rows]));
  const forms = Map.groupBy(all.keys(), formOf);
  return [...all].flatMap(([value, rows]) => {
    const kind = kindIn(NUMBERS, value);
    if (isRoute(value, state)) return { value, rows, kind: 'road' as const, repeats: false };
    if (!/\d/.test(value)) return { value, rows, kind: kind ?? 'other', repeats: false };
    if (rows < REPEATS || forms.get(formOf(value))!.length > 1) return [];
    return { value, rows, kind: kind ?? 'other', repeats: true };
  });
}

const columnText = (name: string) => (/^[A-Za-z_]\w*(\.\w+)*$/.test(name) ? name : `\`${name}\``);

/** Returns a guess for each kind among some values of a column; none where they are too many rows. */
function guessesOf({ name, rows: all }: Profile, marked: readonly Marked[], by: keyof typeof SCORES): GroundGuess[] {
  const rows = (list: readonly Marked[]) => list.reduce((sum, one) => sum + one.rows, 0);
  if (rows(marked) > all * MOST) return [];
  return [...Map.groupBy(marked, ({ kind }) => kind)].map(([kind, list]) => {
    const sorted = list.toSorted((a, b) => b.rows - a.rows);
    const texts = sorted.map(({ value }) => `'${value.replaceAll("'", "''")}'`);
    const told = {
      number: 'no numbers of lots',
      repeat: 'repeat and resemble no other number',
      class: 'a class that is no lot',
    };
    return {
      kind,
      where: `${columnText(name)} ${texts.length === 1 ? `= ${texts[0]}` : `in (${texts.join(', ')})`}`,
      score: SCORES[by],
      note: `${rows(list)} of ${all} rows: ${told[by]}`,
    };
  });
}

/**
 * Guesses which rows of a parcel file are roads, water or other ground and no parcels: by numbers that hold no digit, name a route, or
 * repeat and resemble no other; and by classes of roads and water.
 */
export function guessGround(
  profiles: readonly Profile[],
  columns: ReadonlyMap<string, GuessedColumn>,
  { state }: Area,
): GroundGuess[] {
  const profileOf = (target: string) =>
    profiles.find(({ name }) => columns.get(target)?.sources.length === 1 && columns.get(target)!.sources[0] === name);
  const number = profileOf('apn');
  const marked = number ? markedNumbers(number, state) : [];
  const byNumber = number
    ? [
        ...guessesOf(
          number,
          marked.filter(({ repeats }) => !repeats),
          'number',
        ),
        ...guessesOf(
          number,
          marked.filter(({ repeats }) => repeats),
          'repeat',
        ),
      ]
    : [];
  const classes = new Set(['usedesc', 'usecode', 'property_class'].flatMap(target => profileOf(target) ?? []));
  const byClass = [...classes].flatMap(profile =>
    guessesOf(
      profile,
      [...profile.values].flatMap(([value, rows]) => {
        const kind = kindIn(CLASSES, String(value));
        return kind ? { value: String(value), rows, kind, repeats: false } : [];
      }),
      'class',
    ),
  );
  return [...byNumber, ...byClass];
}
