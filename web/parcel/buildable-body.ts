import type { AnswerOf } from '../../client/client.ts';

/** What a kind of project keeps clear of, as the service lists it. */
export type SitingTemplate = AnswerOf<'listTemplates'>['templates'][number];

/** How the setback from the boundary and steep ground are called among layers. */
const BOUNDARY = 'boundary';
const SLOPE = 'usgs_3dep:slope_percent';

/** The rules of a template as a body of the service, without some of its layers. Pure. */
export function buildableBody(rules: SitingTemplate, without: readonly string[]): object {
  const { exclusions, boundary_setback_m: setback, max_slope_percent: slope, min_width_m, min_piece_acres } = rules;
  const isLeft = (layer: string) => !without.includes(layer);
  return {
    exclusions: exclusions.filter(({ layer }) => isLeft(layer)),
    ...(isLeft(BOUNDARY) ? { boundary_setback_m: setback } : {}),
    ...(slope !== null && isLeft(SLOPE) ? { max_slope_percent: slope } : {}),
    ...{ min_width_m, min_piece_acres },
  };
}
