import { parseCondition } from '../../datasets/grammar/condition.ts';
import { nameOf } from '../../datasets/layer-words.ts';
import type { SitingExclusion, SitingTemplate } from '../../datasets/siting-templates.ts';
import type { Exclusion } from './request.ts';

/** Whose elevation slopes are of, and how an answer names them. */
const SLOPE = { dataset: 'usgs_3dep', layer: 'slope_percent' } as const;

/** A layer by its name. */
export const partsOfName = (name: string): readonly [dataset: string, layer: string] => {
  const [dataset = '', layer = 'main'] = name.split(':');
  return [dataset, layer];
};

/** An exclusion of a template as a question has it. */
export function exclusionOf({ layer: name, where, setbackM }: SitingExclusion): Exclusion {
  const [dataset, layer] = partsOfName(name);
  return { name, dataset, layer, where: where === undefined ? null : parseCondition(where), setback: setbackM };
}

/** Ground that is steeper than so many per cent. */
export const slopesAbove = (percent: number): Exclusion => ({
  ...SLOPE,
  name: nameOf(SLOPE),
  where: { kind: 'compare', column: 'value', op: '>', value: percent },
  setback: 0,
});

/** All ground that a template keeps clear of but the boundary, slopes last. */
export const exclusionsOf = ({ exclusions, maxSlopePercent }: SitingTemplate): readonly Exclusion[] => [
  ...exclusions.map(exclusionOf),
  ...(maxSlopePercent === null ? [] : [slopesAbove(maxSlopePercent)]),
];
