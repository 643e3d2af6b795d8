import { describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { closedListOf } from '../../datasets/closed-list.ts';
import { verdictOf, wordsOf } from '../../datasets/verdict.ts';
import { certaintyOf } from '../../query/evaluate/edge/certainty.ts';

/** Fields that decide something although they are neither a yes-or-no nor a rating. */
const DECIDING = `fema_flood_zone nearest_sfha_distance_m elevation_above_base_flood_m wetland_acres_on_parcel
  wildfire_hazard_potential_class wildfire_burn_probability parcel_zoning slope_degrees slope_percent seismic_pga_2pct_50yr_g
  soil_septic_limitation soil_depth_to_bedrock_cm soil_depth_to_water_table_cm landslide_susceptibility_index radon_zone
  nearest_superfund_site_distance_m nri_risk_rating drought_category storm_surge_cat3_depth_m transportation_noise_dba
  broadband_max_download_mbps nearest_quaternary_fault_distance_m protected_area_gap_status`.split(/\s+/);

const fields = [...catalog.fields.values()];
const ruled = fields.flatMap(field => (field.verdict ? [{ field, rule: field.verdict }] : []));
const verdictAt = (name: string, value: unknown, notes: string | null = null) =>
  verdictOf(catalog.fields.get(name)!.verdict!, {
    ...{ value, notes, dataset_vintage: '2013-08-05' },
    status: value === null ? 'absent' : 'ok',
  });
const judge = (name: string, value: unknown, notes: string | null = null) => verdictAt(name, value, notes).outcome;

const edgeOf = (notes: string | null) => verdictAt('fema_flood_zone', 'AE', notes).edge;

describe('verdict rules', () => {
  it('stand beside every field that decides something', () => {
    const without = fields.filter(({ verdict, type }) => !verdict && type === 'boolean');
    expect(without.map(({ name, dataset }) => `${dataset}: say \`verdict\` of ${name}, a yes or no`)).toEqual([]);
    expect(DECIDING.filter(name => !catalog.fields.get(name)?.verdict)).toEqual([]);
  });

  it.each(ruled.map(({ field, rule }) => [field.name, field, rule] as const))(
    '%s has words for all outcomes',
    (_, field, rule) => {
      for (const outcome of ['yes', 'no', 'line', 'unknown'] as const) {
        const words = wordsOf(rule, { outcome, why: null }, '7');
        expect(words).toMatch(/^[A-Z].{10,}[^.\s]$/);
        expect(words).not.toMatch(/[_{}`]/);
      }
      expect(rule.words.yes).not.toBe(rule.words.no);
      expect(rule.settledBy).toMatch(/^\S.*[^.]$/);
      // A value that is no yes-or-no is told with its verdict.
      if (field.type !== 'boolean') expect(Object.values(rule.words).join(' ')).toContain('{value}');
      if (typeof rule.yes === 'object' && !('from' in rule.yes) && !('under' in rule.yes)) {
        const list = closedListOf(catalog, field);
        const classes = 'except' in rule.yes ? rule.yes.except : [...rule.yes, ...(rule.open ?? [])];
        // GAP codes and septic ratings are text of an open list.
        if (list) expect(classes.filter(one => !list.includes(one))).toEqual([]);
      } else
        expect(field.type).toMatch(rule.yes === true ? /boolean/ : rule.yes === 'any' ? /string/ : /number|integer/);
    },
  );

  it('judge classes, limits and what is open', () => {
    expect(['AE', 'X', 'D', null].map(value => judge('fema_flood_zone', value))).toEqual([
      'yes',
      'no',
      'unknown',
      'unknown',
    ]);
    expect([20, 15.2, 3].map(value => judge('slope_percent', value))).toEqual(['yes', 'line', 'no']);
    expect([40, 200].map(value => judge('soil_depth_to_water_table_cm', value))).toEqual(['yes', 'no']);
    expect(judge('soil_farmland_class', 'Not prime farmland')).toBe('no');
    expect(judge('parcel_zoning', 'R1')).toBe('yes');
  });

  it('say why they stay open, and of when the map is', () => {
    const near = '0.1 m from ground where it is X (FLD_ZONE), while the source is accurate to 12 m';
    const line = verdictAt('fema_flood_zone', 'AE', near);
    expect(line.why).toBe(
      'ground mapped as X is 0.33 feet (0.1 meters) away, while the source is accurate to 39 feet (12 meters)',
    );
    expect(wordsOf(catalog.fields.get('fema_flood_zone')!.verdict!, line, 'AE')).toBe(
      `It is too close to call whether the place is in a special flood hazard area: ${line.why}`,
    );
    expect(verdictAt('fema_flood_zone', null, 'no polygon here').why).toBe('no polygon here');
    expect(verdictAt('fema_flood_zone', 'D').why).toContain('D, leaves it open');
    expect(verdictAt('slope_percent', 15.2).why).toMatch(/too near the limit/);
    expect(verdictAt('slope_percent', 3)).toEqual({ outcome: 'no', edge: null, why: null, dated: '2013-08-05' });
    const failed = { status: 'failed', value: null, notes: null, error: 'the file is damaged', dataset_vintage: null };
    expect(verdictOf({ yes: true }, failed).why).toBe('the file is damaged');
  });

  it('are on the line nearer to one than the source is accurate, as the engine notes it', () => {
    const noteAt = (metres: number) =>
      certaintyOf({ kind: 'edge_m', metres: 30 }, 12, metres, () => 'ground where it is X (FLD_ZONE)').note;
    expect(edgeOf(noteAt(0.1))).toEqual({ metres: 0.1, accuracy: 12, beyond: 'X' });
    expect(edgeOf(`The source leaves it empty (A). ${noteAt(20)}. Stands in for a map.`)).toMatchObject({ metres: 20 });
    expect(edgeOf(noteAt(40))).toBeNull();
    expect([0.1, 20].map(metres => judge('fema_flood_zone', 'AE', noteAt(metres)))).toEqual(['line', 'yes']);
    const uncovered = certaintyOf(null, 10_000, 400, () => 'ground that none of the areas (by SFHA_TF) covers').note;
    expect(edgeOf(uncovered)).toEqual({ metres: 400, accuracy: 10_000, beyond: null });
  });
});
