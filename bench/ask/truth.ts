import { catalog } from '../../datasets/catalog.ts';
import synthetic from '../../datasets/places/synthetic.ts';
import { makeWorld } from '../../pipelines/world/world.ts';
import { FieldTruth } from '../../test/pipelines/world/truth/field.ts';
import { TruthLayers } from '../../test/pipelines/world/truth/layers.ts';
import { pointsOf } from '../../test/pipelines/world/truth/points.ts';
import type { Known } from './numbers.ts';

/** A question on a synthetic place with what the generator of the area says to it. */
export interface TrueQuestion {
  readonly kind: 'distance' | 'direction' | 'count' | 'area' | 'nearest' | 'between' | 'limit';
  readonly question: string;
  readonly lat: number;
  readonly lng: number;
  /** A text, a number with its unit, or which of two words says the truth of a comparison, and which does not. */
  readonly expected: string | Known | { readonly right: RegExp; readonly wrong: RegExp };
}

/** What is nearest, in words, with its fields. */
const THINGS = ['hospital', 'pharmacy', 'park', 'fire_station', 'police_station', 'rail_line', 'substation', 'wetland'];
const COUNTS = {
  'How many substations are there within 10 km?': 'substation_count_within_10km',
  'How many buildings stand within a kilometer?': 'building_count_within_1km',
  'How many restaurants are within one kilometer?': 'restaurant_count_within_1km',
  'How many Superfund sites lie within 5 km?': 'superfund_site_count_within_5km',
} as const;
const POINTS = 10;

/** Questions by templates: distance, direction, count, area, nearest, between and limit, at seeded places. */
export async function trueQuestions(area: { parcels: number; seed: number }, today: string): Promise<TrueQuestion[]> {
  const world = await makeWorld(area);
  const truth = new FieldTruth(new TruthLayers(world, synthetic, today));
  const questions: TrueQuestion[] = [];
  for (const [lng, lat] of pointsOf(world, POINTS)) {
    const trueOf = (name: string) => {
      const told = catalog.fields.has(name) ? truth.at(name, lng, lat) : 'absent';
      return typeof told === 'string' ? null : told.value;
    };
    const ask = (kind: TrueQuestion['kind'], question: string, expected: unknown, unit: string | null = null) => {
      if (expected === null) return;
      const told = typeof expected === 'number' ? { value: expected, unit } : (expected as TrueQuestion['expected']);
      questions.push({ kind, question, lat, lng, expected: told });
    };
    const distances = THINGS.flatMap(thing => {
      const value = trueOf(`nearest_${thing}_distance_m`);
      return typeof value === 'number' ? [{ said: thing.replaceAll('_', ' '), value }] : [];
    });
    for (const { said, value } of distances) {
      ask('distance', `How far is it to the nearest ${said}?`, value, 'm');
      const limit = value > 3000 ? 1 : 20;
      const farther = {
        right: /^Yes\b|\b(?:more|longer|farther|greater) than\b/i,
        wrong: /^No\b|\b(?:less|shorter|closer) than\b/i,
      };
      ask(
        'limit',
        `Is the nearest ${said} more than ${limit} miles away?`,
        value > limit * 1609.344 ? farther : { right: farther.wrong, wrong: farther.right },
      );
    }
    for (const [i, a] of distances.entries()) {
      const b = distances[(i + 1) % distances.length]!;
      if (a === b || Math.abs(a.value - b.value) < 50) continue;
      const [near, far] = a.value < b.value ? [a.said, b.said] : [b.said, a.said];
      const says = (one: string, other: string) =>
        new RegExp(
          `${one}[^.]*\\b(?:shorter|closer|nearer|less)\\b[^.]* than[^.]*${other}|${other}[^.]*\\b(?:longer|farther|more)\\b[^.]* than[^.]*${one}`,
          'i',
        );
      ask('between', `Which is closer, the ${a.said} or the ${b.said}?`, {
        right: says(near, far),
        wrong: says(far, near),
      });
    }
    ask('direction', 'Which way does the slope face?', trueOf('aspect_cardinal'));
    ask('area', 'How big is the lot in acres?', trueOf('parcel_area_m2'), 'm2');
    ask('nearest', 'What is the name of the nearest hospital?', trueOf('nearest_hospital_name'));
    ask('nearest', 'What is the nearest fire station called?', trueOf('nearest_fire_station_name'));
    for (const [question, field] of Object.entries(COUNTS)) ask('count', question, trueOf(field));
  }
  return questions;
}
