import { type Static, type TSchema, Type } from 'typebox';

/** Sets that candidates can be taken from, instead of a list. */
export const SETS = ['@airports', '@substations', '@power_plants', '@rail', '@ports', '@urban_areas'] as const;

/** Most driving calculations in one request. */
export const MOST_CALCULATIONS = 3_500;
export const MOST_TRACTS = 3_000;

const strict = <T extends Record<string, TSchema>>(properties: T, more: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...more });

const ID = Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Comes back as it is.' }));
/** Code checks which form a locator has: a union in the schema would only say that none matches. */
export const LocatorSchema = strict(
  {
    lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'WGS84 degrees, with `lng`.' })),
    lng: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'WGS84 degrees, with `lat`.' })),
    address: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        pattern: '\\S',
        description: 'Street address in the United States.',
      }),
    ),
    id: ID,
  },
  { description: 'Exactly one of `lat` with `lng`, and `address`.' },
);
export type LocatorSchema = Static<typeof LocatorSchema>;

const locators = (most: number, description: string) =>
  Type.Array(LocatorSchema, { minItems: 1, maxItems: most, description });

/** A set by name, or a list of locators. An unknown name has its own error code. */
const places = (most: number) =>
  Type.Union(
    [
      Type.String({ maxLength: 64, description: `One of ${SETS.join(', ')}.` }),
      locators(most, `1 to ${most} locators.`),
    ],
    { description: `One of ${SETS.join(', ')}, or 1 to ${most} locators.` },
  );
const minutes = (least: number, most: number, description: string) =>
  Type.Number({ minimum: least, maximum: most, description });

const MatrixBody = strict({
  origins: locators(100, 'At most 3,500 pairs with `destinations`.'),
  destinations: locators(100, 'At most 3,500 pairs with `origins`.'),
});

const NearestBody = strict({
  origin: LocatorSchema,
  candidates: places(500),
  k: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'How many are wanted; 5 by default.' })),
  by: Type.Optional(Type.Enum(['drive_time', 'straight_line'], { description: '`drive_time` by default.' })),
  max_minutes: Type.Optional(minutes(0, 600, 'Farther ones are left out; only by drive time.')),
  max_km: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1_000, description: 'Farther ones in a straight line are left out.' }),
  ),
});

const Rule = strict({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  to: places(500),
  within_minutes: Type.Optional(minutes(0, 600, 'Minutes of driving; either this or `within_km`.')),
  within_km: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1_000,
      description: 'Kilometres in a straight line; either this or `within_minutes`.',
    }),
  ),
  min_count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, description: 'How many must be so near; 1 by default.' }),
  ),
});
export type Rule = Static<typeof Rule>;

const ScreenBody = strict({
  candidates: locators(100, 'Places that are screened.'),
  rules: Type.Array(Rule, { minItems: 1, maxItems: 10 }),
  match: Type.Optional(Type.Enum(['all', 'any'], { description: 'How many rules must hold; `all` by default.' })),
});

const LaborShedBody = strict({
  origin: LocatorSchema,
  min_minutes: Type.Optional(minutes(0, 180, 'Tracts nearer than this are left out; 0 by default.')),
  max_minutes: minutes(1, 180, 'Minutes of driving; more than `min_minutes`.'),
});

const IsochroneBody = strict({
  origin: LocatorSchema,
  minutes: Type.Array(Type.Number({ minimum: 1, maximum: 120 }), {
    minItems: 1,
    maxItems: 5,
    description: 'Minutes of driving, an area each.',
  }),
});

/** Bodies by operation, without the key `operation`. */
export const BODIES = {
  matrix: MatrixBody,
  nearest: NearestBody,
  screen: ScreenBody,
  labor_shed: LaborShedBody,
  isochrone: IsochroneBody,
} as const;
export type Operation = keyof typeof BODIES;
export const OPERATIONS = Object.keys(BODIES) as readonly Operation[];
export type BodyOf<K extends Operation> = Static<(typeof BODIES)[K]>;

/** One line about each operation. */
export const SUMMARIES: Readonly<Record<Operation, string>> = {
  matrix: 'Drive times and lengths between places',
  nearest: 'The nearest of a set, or of given places',
  screen: 'Which places are near enough to what is named',
  labor_shed: 'Who lives and works within a drive',
  isochrone: 'Areas within minutes of driving',
};

const [FIRST, SECOND] = [
  { lat: 43.12494, lng: -70.71829 },
  { lat: 43.1402, lng: -70.7011 },
];
export const EXAMPLES: { readonly [K in Operation]: BodyOf<K> } = {
  matrix: { origins: [FIRST], destinations: [SECOND] },
  nearest: { origin: FIRST, candidates: '@airports', k: 3 },
  screen: { candidates: [FIRST, SECOND], rules: [{ name: 'airport', to: '@airports', within_minutes: 30 }] },
  labor_shed: { origin: FIRST, max_minutes: 30 },
  isochrone: { origin: FIRST, minutes: [10, 20] },
};

/** Makes the schema of a body that names its operation. */
const named = (operation: Operation): TSchema =>
  strict(
    { operation: Type.Literal(operation), ...BODIES[operation].properties },
    { description: SUMMARIES[operation] },
  );

/** The body of POST /v1/proximity. */
export const ProximityBody = Type.Union(OPERATIONS.map(named), {
  examples: OPERATIONS.map(operation => ({ operation, ...EXAMPLES[operation] })),
});
