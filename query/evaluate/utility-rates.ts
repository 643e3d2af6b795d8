import type { TableRow } from '../release/table.ts';

/** Columns that tell whose rate a row is and for what service. */
export const UTILITY_COLUMNS = ['eiaid', 'service_type'] as const;

const ofService = (rows: readonly TableRow[], service: string) => rows.filter(row => row.service_type === service);

/**
 * The rows of a ZIP code that tell the rates of its serving utility, for the key `zcta_utility`.
 * @param utility EIA utility id.
 * @returns its bundled rows, else its delivery rows; where it is not listed the ZIP code's bundled rows, of which the
 * unweighted mean is the value, with the note that says so.
 */
export function rowsOfUtility(
  rows: readonly TableRow[],
  utility: string,
): { readonly rows: readonly TableRow[]; readonly notes: readonly string[] } {
  const own = rows.filter(row => String(row.eiaid) === utility);
  const bundled = ofService(own, 'Bundled');
  const chosen = bundled.length ? bundled : ofService(own, 'Delivery');
  const others = ofService(rows, 'Bundled');
  if (chosen.length || !others.length) return { rows: chosen, notes: [] };
  return {
    rows: others,
    notes: [`utility ${utility} is not listed here: mean of the ZIP area's ${others.length} utilities`],
  };
}
