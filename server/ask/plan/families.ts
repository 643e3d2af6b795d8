/** Fields that stand for one another, those that decide first: who asks for one is helped by the next where it has no value. */
const FAMILIES: readonly { readonly matter: RegExp; readonly fields: readonly string[] }[] = [
  {
    matter: /\b(?:flood\w*|inunda\w*)\b/,
    fields: [
      'fema_flood_zone',
      'within_floodplain_polygon',
      'nearest_sfha_distance_m',
      'sfha_fraction_within_500m',
      'nfip_claim_count_tract',
    ],
  },
];

/** Fields that say one thing in two ways: where one is planned, the other is. */
const TWINS: readonly (readonly [string, string])[] = [
  ['slope_degrees', 'slope_percent'],
  ['koppen_code', 'koppen_class'],
];

/** Asks which thing is nearest, and leaves open whether its name or its distance is meant. */
const NEAREST = /\b(?:closest|nearest|mas cercan[oa]|mas proxim[oa])\b|^(?:\p{L}+ )?(?:where|which|what|donde|cual)\b/u;
const HOW_FAR =
  /\b(?:how (?:far|close|near|long|many)|distance|miles?|km|kilometers|meters|feet|away|within|lejos|distancia|millas|kilometros|metros)\b/;
const NAMED = /\b(?:name[ds]?|called|who|whose|operat\w+|owns?|owner|llama|nombre|quien)\b/;

/**
 * The other of name and distance of the nearest thing, where a clause asks for it without saying which of them; null otherwise.
 * @param clause folded.
 */
export function nearestTwinOf(field: string, clause: string): string | null {
  const [, thing, part] = /^(nearest_.+)_(name|distance_m)$/.exec(field) ?? [];
  if (thing === undefined || !NEAREST.test(clause) || HOW_FAR.test(clause) || NAMED.test(clause)) return null;
  return `${thing}_${part === 'name' ? 'distance_m' : 'name'}`;
}

/** The family that a matter is about, in its order; empty for none. @param matter folded. */
export const familyOf = (matter: string): readonly string[] =>
  FAMILIES.find(family => family.matter.test(matter))?.fields ?? [];

/** The field that says the same in another way; null for none. */
export function twinOf(field: string): string | null {
  const pair = TWINS.find(names => names.includes(field));
  return pair?.find(name => name !== field) ?? null;
}
