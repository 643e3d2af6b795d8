import { type Static, type TSchema, Type } from 'typebox';
import type { AccuracyType } from '../../query/geocode/match.ts';
import type { Provider, TierMatch } from './tier.ts';
import { gradeOf } from './verdict.ts';

const maybe = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description });

/** How an address was resolved. */
export const GeocodeBlockSchema = Type.Object(
  {
    lat: Type.Number(),
    lng: Type.Number(),
    accuracy: maybe(Type.Number(), 'Similarity 0 to 1, never below 0.8. Null from the fallback, which gives none.'),
    accuracy_type: Type.String({
      description: 'How the coordinate was derived.',
      examples: ['rooftop', 'nearest_rooftop_match', 'point', 'range_interpolation', 'intersection', 'street_center'],
    }),
    match_type: maybe(Type.String(), 'Further detail, such as `building_centroid`.'),
    normalized_address: maybe(Type.String(), 'The address that was matched: compare it with what was typed.'),
    provider: Type.Union([Type.Literal('commercial'), Type.Literal('census'), Type.Literal('other')], {
      description: 'Who answered: `other` is the geocoder of this installation.',
    }),
    source: maybe(Type.String(), 'Authority the coordinate came from.'),
    parcel_grade: Type.Boolean({ description: 'False when the coordinate is estimated on the street.' }),
    precision_note: Type.Optional(Type.String({ description: 'Only when `parcel_grade` is false.' })),
  },
  { $id: 'GeocodeBlock', additionalProperties: false, description: 'The way in which an address was found.' },
);

export interface GeocodeBlock extends Omit<Static<typeof GeocodeBlockSchema>, 'precision_note'> {
  readonly accuracy: number | null;
  readonly accuracy_type: AccuracyType;
  readonly match_type: string | null;
  readonly normalized_address: string | null;
  readonly provider: Provider;
  readonly source: string | null;
  readonly precision_note?: string;
}

/** The precision note of each accuracy type. The texts are part of the interface. */
const NOTES: Readonly<Partial<Record<AccuracyType, string>>> = {
  point:
    'The coordinate is a known point of this address, not its rooftop: it may lie on the street or a neighboring parcel.',
  range_interpolation:
    'The coordinate is estimated along the street from its range of house numbers: in rural areas it may lie up to about 2,872 m off (95th percentile).',
  intersection: 'The coordinate is the junction of two streets, not a building or parcel.',
  street_center: 'The coordinate is the middle of the street, not a building or parcel: the house may lie far from it.',
};

/** Makes the `geocode` block of a match, with exactly the keys of the interface. */
export function blockOf(match: TierMatch, provider: Provider): GeocodeBlock {
  const note = NOTES[match.accuracyType];
  return {
    lat: match.lat,
    lng: match.lng,
    accuracy: match.similarity,
    accuracy_type: match.accuracyType,
    match_type: match.matchType,
    normalized_address: match.normalizedAddress,
    provider,
    source: match.source,
    parcel_grade: gradeOf(match.accuracyType) === 'parcel',
    ...(note === undefined ? {} : { precision_note: note }),
  };
}
