import { Type } from 'typebox';
import { SearchBodySchema } from '../search/schema.ts';
import { NearSchema } from './area-schema.ts';

const { field, value } = SearchBodySchema.properties.filters.items.properties;

const RULES = [
  'As of POST /v1/search; and `is_null`, `not_null`, which take no `value`,',
  'and of text `starts_with` and `contains`, which are compared without case;',
  'and of `acreage` `disagrees`, without a value: deed or county say more than 5 percent (and 0.02) other acres than the outline has.',
].join(' ');

/** The filters of a set. */
export const SetFilters = Type.Array(
  Type.Object(
    {
      field: Type.Optional(field),
      op: Type.Optional(
        Type.String({
          description: RULES,
          examples: ['eq', 'is_null', 'not_null', 'starts_with', 'contains', 'disagrees'],
        }),
      ),
      value: Type.Optional(value),
      near: Type.Optional(NearSchema),
    },
    { additionalProperties: false },
  ),
  { description: 'All must hold. One selects states: `state` or `state2` with `eq` or `in`.' },
);

/** What every answer about a set says of what it could not tell. */
export const UNKNOWN = Type.Integer({
  description: 'Parcels for which a calculation of a filter failed; whether they pass is not known.',
});
export const WARNINGS = Type.Array(Type.String(), {
  description: 'Gaps in what is known, such as a column without any value. They are no finding.',
});

/** What an answer ends with. */
export const ENDING = {
  status: Type.Union([Type.Literal('complete'), Type.Literal('partial')], {
    description:
      '`complete`: all that was asked about was read. `partial`: some of it was not, so that more may be true.',
  }),
  completion_reason: Type.Union(
    [Type.Literal('exhausted'), Type.Literal('source_unavailable'), Type.Literal('timeout')],
    {
      description:
        'Of `complete`: `exhausted`. Of `partial`: `source_unavailable`, data of a state or county is not here or cannot be read; `timeout`.',
    },
  ),
  request_id: Type.String(),
};

/** Filters of examples. */
export const EXAMPLE_FILTERS = [
  { field: 'state', op: 'eq', value: 'ME' },
  { field: 'acreage', op: 'gt', value: 5 },
];
