import { type Static, Type } from 'typebox';
import { MOST_EXCLUSIONS, MOST_SETBACK_M } from './limits.ts';
import { BuildableBodySchema } from './schema.ts';

const { exclusions, boundary_setback_m, max_slope_percent, min_width_m, min_piece_acres } =
  BuildableBodySchema.properties;
const closed = { additionalProperties: false };

/** How templates of accounts are named. */
export const TemplateParams = Type.Object({
  template: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,39}$',
    description: 'Small letters, digits and `_`, at most 40; none that every account has.',
  }),
});
export type TemplateParams = Static<typeof TemplateParams>;

export const TemplateBody = Type.Object(
  {
    title: Type.Optional(Type.String({ maxLength: 200, description: 'For people; the name without it.' })),
    exclusions,
    boundary_setback_m,
    max_slope_percent,
    min_width_m,
    min_piece_acres,
  },
  {
    ...closed,
    examples: [
      {
        title: 'Community solar in Maine',
        exclusions: [{ layer: 'usfws_nwi', setback_ft: 75 }],
        boundary_setback_m: 15,
        max_slope_percent: 12,
        min_piece_acres: 5,
      },
    ],
  },
);
export type TemplateBody = Static<typeof TemplateBody>;

export const TemplateRecord = Type.Object(
  {
    name: Type.String({ description: 'For `template` of POST /v1/buildable.' }),
    title: Type.String(),
    own: Type.Boolean({ description: 'False of those that every account has.' }),
    exclusions: Type.Array(
      Type.Object(
        {
          layer: Type.String(),
          where: Type.Optional(Type.String()),
          setback_m: Type.Number({ minimum: 0, maximum: MOST_SETBACK_M }),
        },
        closed,
      ),
      { maxItems: MOST_EXCLUSIONS },
    ),
    boundary_setback_m: Type.Number(),
    max_slope_percent: Type.Union([Type.Number(), Type.Null()], { description: 'Null: any slope.' }),
    min_width_m: Type.Number(),
    min_piece_acres: Type.Number(),
  },
  closed,
);
export type TemplateRecord = Static<typeof TemplateRecord>;

export const TemplateList = Type.Object({ templates: Type.Array(TemplateRecord) }, closed);
