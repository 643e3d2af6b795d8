import { type TSchema, Type } from 'typebox';
import type { Operation } from './schema.ts';

const maybe = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
const text = () => Type.String();
const Cited = {
  provider: maybe(Type.Enum(['embedded', 'osrm', 'valhalla']), 'Null where nothing was driven.'),
  source: maybe(text()),
  source_url: maybe(text()),
  dataset_vintage: maybe(text()),
  note: maybe(text()),
  distances: Type.Enum(['driving', 'straight_line', 'driving and straight_line']),
  calculations: Type.Integer({ description: 'Driving calculations that were made and charged.' }),
};

const Entry = {
  index: Type.Integer(),
  id: Type.Optional(text()),
  resolved_location: maybe(
    Type.Object({ lat: Type.Number(), lng: Type.Number(), source: Type.Enum(['coordinate', 'address']) }),
  ),
  snapped_m: maybe(
    Type.Number({ description: 'Meters to the road that is driven: the nearest of a connected network.' }),
    'Null where nothing is driven, where there is no such road, and where the provider does not tell.',
  ),
  nearest_road_m: maybe(
    Type.Number({ description: 'Meters to the nearest road of all, which may lead nowhere.' }),
    'Null where nothing is driven, where there is no road, and where the provider does not tell.',
  ),
};
const Located = Type.Object(Entry);

const Unresolved = Type.Array(
  Type.Object({
    role: text(),
    index: Type.Integer(),
    id: Type.Optional(text()),
    error: text(),
    message: text(),
  }),
  { description: 'Locators that have no place on a road; everything about them is null.' },
);

const Result = Type.Object({
  index: Type.Optional(Type.Integer({ description: 'Place in the list that was given.' })),
  id: Type.Optional(text()),
  name: maybe(text()),
  lat: Type.Number(),
  lng: Type.Number(),
  minutes: maybe(Type.Number()),
  meters: maybe(Type.Number()),
  straight_line_m: Type.Number(),
  source: maybe(text()),
  source_url: maybe(text()),
  dataset_vintage: maybe(text()),
});

const Total = Type.Object({
  value: maybe(Type.Number()),
  unit: text(),
  source: maybe(text()),
  source_url: maybe(text()),
  dataset_vintage: maybe(text()),
  tracts_without: Type.Integer({ description: 'Tracts of the shed that the source has no number of.' }),
  note: maybe(text()),
});

const rows = (description: string) => Type.Array(Type.Array(maybe(Type.Number())), { description });

/** The answer of each operation. */
export const ANSWERS: Readonly<Record<Operation, TSchema>> = {
  matrix: Type.Object({
    operation: Type.Literal('matrix'),
    origins: Type.Array(Located),
    destinations: Type.Array(Located),
    minutes: rows('Rows by origin; null where no way leads or a place has no road.'),
    meters: rows('Length of the fastest way.'),
    unresolved: Unresolved,
    ...Cited,
  }),
  nearest: Type.Object({
    operation: Type.Literal('nearest'),
    origin: Located,
    by: Type.Enum(['drive_time', 'straight_line']),
    set: maybe(text()),
    results: Type.Array(Result),
    unresolved: Unresolved,
    ...Cited,
  }),
  screen: Type.Object({
    operation: Type.Literal('screen'),
    match: Type.Enum(['all', 'any']),
    results: Type.Array(
      Type.Object({
        ...Entry,
        passed: maybe(Type.Boolean(), 'Null where it cannot be said.'),
        rules: Type.Array(
          Type.Object({
            name: maybe(text()),
            passed: maybe(Type.Boolean()),
            count: maybe(Type.Integer({ description: 'Near enough; of a set no more than were needed are counted.' })),
            nearest: maybe(Result),
            reason: maybe(text(), 'Why it is not known whether the rule passes, where the place itself was found.'),
            distances: Type.Enum(['driving', 'straight_line']),
          }),
        ),
      }),
    ),
    unresolved: Unresolved,
    ...Cited,
  }),
  labor_shed: Type.Object({
    operation: Type.Literal('labor_shed'),
    origin: Located,
    min_minutes: Type.Number(),
    max_minutes: Type.Number(),
    tracts: Type.Array(Type.Object({ geoid: text(), minutes: Type.Number() }), { description: 'Nearest first.' }),
    totals: Type.Object({
      population: Total,
      labor_force: Total,
      employed_residents: Total,
      unemployed: Total,
      jobs: Total,
      workers_by_sector: Type.Record(Type.String(), Total),
      average_weekly_wage: Total,
    }),
    coverage: Type.Object({
      tracts: Type.Integer(),
      tracts_considered: Type.Integer(),
      tracts_without_road: Type.Integer(),
      tracts_outside_roads: Type.Integer(),
      note: text(),
    }),
    ...Cited,
  }),
  isochrone: Type.Object({
    operation: Type.Literal('isochrone'),
    type: Type.Literal('FeatureCollection'),
    features: Type.Array(
      Type.Object({
        type: Type.Literal('Feature'),
        properties: Type.Object({ minutes: Type.Number() }),
        geometry: Type.Object({
          type: Type.Literal('MultiPolygon'),
          coordinates: Type.Array(Type.Array(Type.Array(Type.Array(Type.Number())))),
        }),
      }),
      { description: 'Widest first.' },
    ),
    origin: Located,
    ...Cited,
  }),
};
