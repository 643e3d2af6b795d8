import { GREATEST, mixed } from './calculated.ts';
import type { Profile, Sample } from './profile.ts';

/** The body of a search. */
export type Body = Readonly<Record<string, unknown>>;

/** A class of searches: any number of them, each about another place, with an area or threshold of its own. */
export interface Case {
  readonly name: string;
  readonly body: (i: number) => Body;
  /** How many of the first are compared. */
  readonly compared: number;
  /** Pages of each walk that are timed. */
  readonly pages: readonly [first: number, last: number];
  /** Whether it has an area; is made for a trap of a planner and told apart; or needs calculated columns, which PostGIS has. */
  readonly kind: 'area' | 'attributes' | 'apart' | 'calculated';
}

const FIELDS = ['usedesc', 'zoning', 'yearbuilt', 'parval', 'saleprice', 'saledate', 'owner', 'legaldesc'];

/** Parcels a page. */
const FULL = 100;
/** Places between those that two classes begin with. */
const APART = 17_137;
/** Degrees that a place is moved by at most, so that no two requests ask about one. */
const MOVE = 0.001;

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

/** An area about a place, up to so large a share of the county. */
const wide = ({ lng, lat, box: [minX, minY, maxX, maxY] }: Sample, share: number, vertices: number, i: number) =>
  wavy(lng, lat, ((maxX - minX) / 2) * share, ((maxY - minY) / 2) * share, vertices, i);

/** What the i-th request of a class draws: a place that none asked about before while they last, and numbers from 0 to 1. */
interface Draw extends Sample {
  readonly random: (k: number) => number;
  /** A parcel's text, any. */
  readonly anyText: (k: number) => string;
}

function drawn(samples: readonly Sample[], number: number, i: number): Draw {
  const random = (k: number) => mixed(mixed(number, k), i) / 2 ** 32;
  const sample = samples[(number * APART + i) % samples.length]!;
  const moved = (degrees: number, k: number) => degrees + (random(k) - 0.5) * MOVE;
  return {
    ...sample,
    lng: moved(sample.lng, 1),
    lat: moved(sample.lat, 2),
    random,
    anyText: k => samples[Math.floor(random(k) * samples.length)]!.text,
  };
}

/** The classes, those that are two kinds of work each split in two, made of values that the parcels hold. */
export function casesOf(profile: Profile): Case[] {
  const { samples, states, code, text, number, percentiles, ceilings, calculated } = profile;
  const [least, greatest] = [percentiles[0]!, percentiles[100]!];
  /** A threshold that a share of the parcels lies below, from one share to another. */
  const threshold = (share: number, [from, to]: readonly [number, number]) => {
    const at = from + share * (to - from);
    const [low, high] = [percentiles[Math.floor(at)]!, percentiles[Math.ceil(at)]!];
    return low + (at % 1) * (high - low);
  };
  const all = filter('state', 'in', states);
  const state = (sample: Sample) => filter('state', 'eq', sample.state);
  const atLeast = ({ random }: Draw) => filter(number, 'gte', threshold(random(3), [10, 90]));
  let classes = 0;
  const made = (
    name: string,
    kind: Case['kind'],
    compared: number,
    limit: number,
    filters: (draw: Draw, i: number) => readonly unknown[],
    more: { readonly fields?: readonly string[]; readonly pages?: Case['pages'] } = {},
  ): Case => {
    const own = classes++;
    return {
      name: `${name} (limit ${limit})`,
      kind,
      compared,
      pages: more.pages ?? [1, 1],
      body: i => ({ filters: filters(drawn(samples, own, i), i), fields: more.fields ?? FIELDS, limit }),
    };
  };
  const cases = [
    made('state, county, number, code', 'attributes', 100, 10, draw => [
      state(draw),
      filter('county', 'eq', draw.fips),
      atLeast(draw),
      filter(code, 'eq', draw.code),
    ]),
    made('small polygon intersects, 1 km', 'area', 60, FULL, (draw, i) => [
      state(draw),
      filter('geometry', 'intersects', small(draw, 1000, i)),
    ]),
    made(
      'small polygon intersects, 150 m, with boundaries',
      'area',
      100,
      FULL,
      (draw, i) => [state(draw), filter('geometry', 'intersects', small(draw, 150, i))],
      { fields: [...FIELDS, 'geometry'] },
    ),
    made('500-vertex county-sized polygon within, number', 'area', 40, FULL, (draw, i) => [
      state(draw),
      filter('geometry', 'within', wide(draw, 0.9, 500, i)),
      atLeast(draw),
    ]),
    made('apn equality', 'attributes', 200, 10, draw => [state(draw), filter('apn', 'eq', draw.apn)]),
    made('nothing matches state-wide, beyond every value', 'attributes', 20, 10, ({ random }) => [
      all,
      filter(number, 'gt', greatest + (greatest - least) * (1 + 1000 * random(4))),
    ]),
    made('text in', 'attributes', 60, FULL, ({ anyText }) => [
      all,
      filter(text, 'in', [...new Set([5, 6, 7, 8, 9].map(anyText))]),
    ]),
    made(
      'pages 50 to 149 of a walk',
      'attributes',
      10,
      FULL,
      ({ random }) => [all, filter(number, 'gte', threshold(random(10), [0, 50]))],
      { pages: [50, 149] },
    ),
    made('polygon of 10,000 vertices intersects', 'area', 12, FULL, (draw, i) => [
      state(draw),
      filter('geometry', 'intersects', wide(draw, 0.6, 10_000, i)),
    ]),
  ];
  if (ceilings.length > 0)
    cases.push(
      made('nothing matches state-wide, values never together', 'apart', 20, 10, ({ random }, i) => {
        const { code: value, greatest: ceiling } = ceilings[i % ceilings.length]!;
        return [all, filter(code, 'eq', value), filter(number, 'gt', ceiling + random(11))];
      }),
    );
  if (calculated)
    cases.push(
      made(
        'calculated number and boolean, calculated values',
        'calculated',
        60,
        FULL,
        draw => [
          state(draw),
          filter(calculated.number, 'gte', GREATEST * (0.3 + draw.random(12) / 2)),
          filter(calculated.flag, 'eq', true),
        ],
        { fields: [...FIELDS, ...calculated.outputs] },
      ),
    );
  return cases;
}
