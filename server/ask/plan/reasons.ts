import { folded } from '../retrieval/words.ts';

/** Asks for reasons, not for a value. */
const WHY = /\b(?:why|how come|what (?:makes|causes|is the (?:reason|cause))|reasons?|por que|porque|a que se debe)\b/;

/** What is asked about → fields that tell why it is so: what lies near, how high the place lies, what the ground is. */
const REASONS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
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
  if (!WHY.test(text)) return [];
  return REASONS.flatMap(([matter, fields]) => (matter.test(text) ? fields : []));
}

/** Whether a clause asks for nothing but reasons of which fields tell. */
export const asksOnlyWhy = (clause: string): boolean => reasonsWanted(clause).length > 0;
