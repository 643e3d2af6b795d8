import type { Box } from '../../datasets/geometry.ts';
import { GREATEST } from './calculated.ts';
import type { Profile, Sample } from './profile.ts';

/** The body of a search. */
export type Body = Readonly<Record<string, unknown>>;

/** A class of searches: any number of them, no area twice, so that no answer serves another; parcels come again. */
export interface Case {
  readonly name: string;
  readonly body: (i: number) => Body;
  /** How many of the first are compared. */
  readonly compared: number;
  /** Parcels that its filter on the state leaves, on average. */
  readonly parcels: number;
  /** Only this page of each walk is timed; 1 is the first. */
  readonly page: number;
}

const FIELDS = ['usedesc', 'zoning', 'yearbuilt', 'parval', 'saleprice', 'saledate', 'owner', 'legaldesc'];

/** Page of the walks, and parcels a page. */
const DEEP_PAGE = 50;
const FULL = 100;

/** Names of classes that ask for parcels of all states. */
const STATE_WIDE = /state-wide|text in|walk/;

/** Degrees of latitude of a metre, near enough for the size of a polygon. */
const METRE = 1 / 111_320;

const filter = (field: string, op: string, value: unknown) => ({ field, op, value });

/**
 * A wavy ring without self-crossings.
 * @param vertices closing one counted. @param rx @param ry degrees. @param phase another ring of the same size.
 */
function wavy(lng: number, lat: number, rx: number, ry: number, vertices: number, phase: number) {
  const ring = Array.from({ length: vertices - 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / (vertices - 1);
    const radius = 1 + 0.1 * Math.sin(9 * angle + phase) + 0.01 * Math.sin(131 * angle + 2 * phase);
    return [lng + rx * radius * Math.cos(angle), lat + ry * radius * Math.sin(angle)];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] };
}

function small({ lng, lat }: Sample, metres: number, i: number) {
  const ry = (metres / 2) * METRE;
  return wavy(lng, lat, ry / Math.cos((lat * Math.PI) / 180), ry, 5 + (i % 4), i);
}

const wide = ([minX, minY, maxX, maxY]: Box, share: number, vertices: number, i: number) =>
  wavy((minX + maxX) / 2, (minY + maxY) / 2, ((maxX - minX) / 2) * share, ((maxY - minY) / 2) * share, vertices, i);

/** The classes, those that are two kinds of work each split in two, made of values that the parcels hold. */
export function casesOf(profile: Profile): Case[] {
  const { samples, states, code, text, number, percentiles, ceilings } = profile;
  const at = (percent: number) => percentiles[percent]!;
  const span = at(100) - at(0);
  const all = filter('state', 'in', states);
  const state = (sample: Sample) => filter('state', 'eq', sample.state);
  const least = (i: number) => filter(number, 'gte', at(10 + ((i * 7) % 80)));
  const made = (
    name: string,
    compared: number,
    limit: number,
    filters: (sample: Sample, i: number) => readonly unknown[],
    fields = FIELDS,
  ): Case => ({
    name: `${name} (limit ${limit})`,
    compared,
    parcels: STATE_WIDE.test(name) ? profile.parcels : profile.parcels / states.length,
    page: 1,
    body: i => ({ filters: filters(samples[i % samples.length]!, i), fields, limit }),
  });
  const cases = [
    made('state, county, number, code', 100, 10, (s, i) => [
      state(s),
      filter('county', 'eq', s.fips),
      least(i),
      filter(code, 'eq', s.code),
    ]),
    made('small polygon intersects, 1 km', 60, FULL, (s, i) => [
      state(s),
      filter('geometry', 'intersects', small(s, 1000, i)),
    ]),
    made(
      'small polygon intersects, 150 m, with boundaries',
      100,
      FULL,
      (s, i) => [state(s), filter('geometry', 'intersects', small(s, 150, i))],
      [...FIELDS, 'geometry'],
    ),
    made('500-vertex county-sized polygon within, number', 40, FULL, (s, i) => [
      state(s),
      filter('geometry', 'within', wide(s.box, 0.9, 500, i)),
      least(i),
    ]),
    made('apn equality', 200, 10, s => [state(s), filter('apn', 'eq', s.apn)]),
    made('nothing matches state-wide, beyond every value', 20, 10, (_, i) => [
      all,
      filter(number, 'gt', at(100) + span * (i + 1)),
    ]),
    made('text in', 60, FULL, (_, i) => [
      all,
      filter(text, 'in', [...new Set([0, 1, 2, 3, 4].map(k => samples[(i + 41 * k) % samples.length]!.text))]),
    ]),
    {
      ...made(`page ${DEEP_PAGE} of a walk`, 10, FULL, (_, i) => [all, filter(number, 'gte', at((5 * i) % 50))]),
      page: DEEP_PAGE,
    },
    made('polygon of 10,000 vertices intersects', 12, FULL, (s, i) => [
      state(s),
      filter('geometry', 'intersects', wide(s.box, 0.6, 10_000, i)),
    ]),
  ];
  const { calculated } = profile;
  if (calculated)
    cases.push(
      made(
        'calculated number and boolean, calculated values',
        60,
        FULL,
        (s, i) => [
          state(s),
          filter(calculated.number, 'gte', GREATEST * (0.3 + (i % 97) / 200)),
          filter(calculated.flag, 'eq', true),
        ],
        [...FIELDS, ...calculated.outputs],
      ),
    );
  if (ceilings.length > 0)
    cases.splice(
      6,
      0,
      made('nothing matches state-wide, values never together', 20, 10, (_, i) => {
        const { code: value, greatest } = ceilings[i % ceilings.length]!;
        return [all, filter(code, 'eq', value), filter(number, 'gt', greatest + i / 1000)];
      }),
    );
  return cases;
}
