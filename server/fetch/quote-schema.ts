import { type Static, Type } from 'typebox';
import { AllowanceProperties } from '../account/schema.ts';
import { MAX_LOCATIONS } from './batch-schema.ts';
import { SELECTION } from './schema.ts';

export const QuoteBody = Type.Object(
  {
    ...SELECTION,
    locations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LOCATIONS,
        default: 1,
        description: 'How many locations, a count and not a list; 1 when it is not given.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'What a fetch or batch would ask for, without places.',
    examples: [{ preset: 'terrain', fields: ['county_name'], locations: 10 }],
  },
);
export type QuoteBody = Static<typeof QuoteBody>;

export const QuoteResponse = Type.Object(
  {
    fields: Type.Array(Type.String(), { description: 'Resolved names: the preset, then `fields`, each once.' }),
    field_count: Type.Integer(),
    preset: Type.Union([Type.String(), Type.Null()]),
    locations: Type.Integer(),
    plan: Type.String(),
    credits_per_location: Type.Integer(),
    credits_total: Type.Integer(),
    breakdown: Type.Object(
      {
        per_field: Type.Object(
          {
            fields: Type.Integer({ description: 'Fields a location that are charged one by one.' }),
            credits_each: Type.Integer(),
            credits: Type.Integer({ description: 'Over all locations.' }),
          },
          { additionalProperties: false },
        ),
        metered_groups: Type.Object(
          {
            parcel_record: Type.Object(
              {
                fields: Type.Integer({ description: 'Fields a location that are charged as a group.' }),
                credits: Type.Integer({ description: 'Over all locations.' }),
                billed: Type.Boolean({ description: 'Whether the group is part of the total.' }),
              },
              { additionalProperties: false },
            ),
          },
          { additionalProperties: false },
        ),
      },
      { additionalProperties: false },
    ),
    allowance: Type.Object(
      {
        ...AllowanceProperties,
        would_exceed_allowance: Type.Boolean({ description: 'The total is more than `credits_remaining`.' }),
        would_be_blocked: Type.Boolean({
          description:
            'The total is more than the effective limit leaves: a fetch would be refused, a batch answered in part or refused.',
        }),
        limited_by: Type.Union([Type.Literal('plan'), Type.Literal('self'), Type.Literal('none')], {
          description: 'Which limit blocks; `self` when it is the tighter one.',
        }),
      },
      { additionalProperties: false },
    ),
    notes: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type QuoteResult = Static<typeof QuoteResponse>;
