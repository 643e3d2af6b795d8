import type { AnswerOf } from '../../client/client.ts';
import { lackWords } from '../values/page-words.ts';
import { valueWords } from '../values/value-words.ts';

type Building = Pick<
  AnswerOf<'structures'>['structures'][number],
  | 'area_m2'
  | 'share_on_ground'
  | 'occupancy_class'
  | 'special_flood_hazard_area'
  | 'flood_zone'
  | 'floodplain_500yr'
  | 'lowest_ground'
  | 'height_above_base_flood'
>;

const share = (value: number) => valueWords(value, 'fraction');
const height = (metres: number) => valueWords(metres, 'm', 'height');

/** A building by its number and size, such as "Building 1: 1,450 sq ft, Residential". */
export function buildingName(
  { area_m2: area, share_on_ground: onGround, occupancy_class: use }: Building,
  number: number,
): string {
  const part = onGround < 0.995 ? `, ${share(onGround)} of it on this parcel` : '';
  return `Building ${number}: ${valueWords(area, 'm2', 'area')}${use === null ? '' : `, ${use}`}${part}`;
}

/** How a building stands to the special flood hazard area, as outcomes of verdicts are called. */
export function kindOf({ special_flood_hazard_area: { verdict } }: Building): 'yes' | 'no' | 'line' | 'unknown' {
  return verdict === 'inside' ? 'yes' : verdict === 'outside' ? 'no' : verdict === 'not_decidable' ? 'line' : 'unknown';
}

const LABELS = { yes: 'In a flood zone', no: 'Outside', line: 'Not decidable', unknown: 'Not known' } as const;

/** That in two words. */
export const floodLabel = (building: Building): string => LABELS[kindOf(building)];

/** How much of a building lies in the special flood hazard area, by which zone, and what the accuracy of the map leaves open. */
export function floodWords(building: Building): string {
  const {
    special_flood_hazard_area: { verdict, share: inside, share_least: least, share_most: most, reason },
    flood_zone: { zone },
    floodplain_500yr: rare,
  } = building;
  if (verdict === null || inside === null)
    return `${(lackWords(reason ?? '') || 'The flood map says nothing here').replace(/\.$/, '')}.`;
  const drawn = `${inside === 0 ? 'None' : share(inside)} of it lies in the special flood hazard area as drawn${zone === null ? '' : `, zone ${zone}`}`;
  const open =
    least !== null && most !== null && most - least > 0.005
      ? `; ${share(least)} to ${share(most)} if the lines are off by their stated accuracy`
      : '';
  const also =
    verdict === 'outside' && rare.verdict === 'inside'
      ? ' It is inside the flood of 500 years, whose chance is less.'
      : '';
  return `${drawn}${open}.${also}`;
}

/** How the lowest ground under a building stands to the base flood. */
export function baseFloodWords({ lowest_ground: ground, height_above_base_flood: above }: Building): string {
  const lowest =
    ground.value_m === null
      ? ''
      : `Lowest ground ${height(ground.value_m)}${ground.error_m === null ? '' : ` (± ${height(ground.error_m)})`}`;
  if (above.value_m === null) {
    const why = lackWords(above.reason ?? '');
    const lower = `${why.charAt(0).toLowerCase()}${why.slice(1)}`.replace(/\.$/, '');
    return [lowest, `Height above the base flood is not known${why === '' ? '' : `: ${lower}`}`]
      .filter(Boolean)
      .map(sentence => `${sentence}.`)
      .join(' ');
  }
  const side = above.value_m < 0 ? 'below' : 'above';
  const error = above.error_m === null ? '' : ` (± ${height(above.error_m)})`;
  const open = above.verdict === 'not_decidable' ? ', too close to call' : '';
  return `${lowest === '' ? 'It stands' : `${lowest},`} ${height(Math.abs(above.value_m))}${error} ${side} the base flood${open}.`;
}
