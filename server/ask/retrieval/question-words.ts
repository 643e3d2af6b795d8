import type { Field } from '../../../datasets/dataset.ts';

/** How a field is asked for by what kind of value it is: words that many of a kind share, beside the terms of each. */
export function questionWords({ name, type, unit, expression }: Field): string {
  if (/_distance_m$/.test(name)) return 'far distance near close away miles kilometers long';
  if (/_depth_/.test(name)) return 'deep depth down';
  if (/_height_m$/.test(name)) return 'tall high height';
  if (/_yoy_pct$|_growth_1yr_pct$/.test(name))
    return 'trend growing shrinking rising falling faster slower up down than year before share percent';
  if (/_count(_|$)/.test(name)) return 'many number count';
  if (/_name$|_owner$|_operator$/.test(name)) return 'name called which who';
  if (/_fraction(_|$)|_pct$|_percent$/.test(name)) return 'share percent fraction percentage';
  if (type === 'boolean') return 'inside within';
  if (unit?.startsWith('USD')) return 'dollars cost money';
  if (type === 'date') return 'date when';
  if (expression.op === 'area_key_attr' && name.startsWith('county_')) return 'county';
  return '';
}
