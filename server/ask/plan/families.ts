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

/** The family that a matter is about, in its order; empty for none. @param matter folded. */
export const familyOf = (matter: string): readonly string[] =>
  FAMILIES.find(family => family.matter.test(matter))?.fields ?? [];

/** The field that says the same in another way; null for none. */
export function twinOf(field: string): string | null {
  const pair = TWINS.find(names => names.includes(field));
  return pair?.find(name => name !== field) ?? null;
}
