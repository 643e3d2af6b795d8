import { folded } from '../retrieval/words.ts';

/** Asks for reasons, not for a value. */
const WHY = /\b(?:why|how come|what (?:makes|causes|is the (?:reason|cause))|reasons?|por que|porque|a que se debe)\b/;

/** Asks what may be built, and names nothing that may. */
const BUILT =
  /\bwhat (?:kinds? of (?:things?|buildings?) )?(?:(?:all |else )?(?:could|can|may|might|would)\b.*\b(?:built|build|put up|developed?|go here)|(?:is|am|are)\b.*\b(?:allowed|permitted) (?:to be )?(?:built|build|put up|here|on)\b)|\bque\b.*\b(?:puedo|puede|podria|permite|permiten)\b.*\b(?:construir|edificar|levantar)\b/;

/**
 * What is asked, about what → fields that tell why it is so: what lies near, how high the place lies, what the ground is; or what
 * decides what may be built: the law first, then the ground.
 */
const REASONS: readonly (readonly [RegExp, RegExp, readonly string[]])[] = [
  [BUILT, /./, ['parcel_zoning', 'developable_acres_proxy', 'within_floodplain_polygon', 'wetland_fraction_of_parcel']],
  [
    WHY,
    /\b(?:flood\w*|inunda\w*)\b/,
    [
      'fema_flood_zone',
      'nearest_flowline_distance_m',
      'nearest_flowline_name',
      'height_above_nearest_stream_m',
      'coast_distance_m',
      'elevation',
      'soil_flooding_frequency',
      'soil_drainage_class',
    ],
  ],
];

/**
 * Fields that tell why something is so at a place, where a question asks for that; empty otherwise. They are facts from which
 * a reader sees the reason: no field says it in so many words, and none is guessed.
 * @param question of any text: all of it, because `why` may stand apart from what it asks about.
 */
export function reasonsWanted(question: string): readonly string[] {
  const text = folded(question);
  return REASONS.flatMap(([asks, matter, fields]) => (asks.test(text) && matter.test(text) ? fields : []));
}

/** Whether a clause asks for nothing but reasons, or what may be built. */
export const asksOnlyWhy = (clause: string): boolean => reasonsWanted(clause).length > 0;
