import { type Column, defineDataset } from '../dataset.ts';
import { HAZARD_LOSSES } from '../nri/hazard-losses.ts';
import { HAZARD_SCORES } from '../nri/hazard-scores.ts';
import { phrases } from '../phrases.ts';

/** Prefixes of the columns of the eighteen hazards. */
const HAZARDS = 'IFLD CFLD HRCN TRND SWND HAIL LTNG WFIR ERQK LNDS DRGT HWAV CWAV WNTW ISTM AVLN TSUN VLCN'.split(' ');

/** Score, expected loss and rating of a hazard; the rating says why the others are empty. Until 1.20 IFLD was RFLD. */
function hazardColumns(prefix: string): Record<string, Column> {
  const column = (name: string, rest: Column): [string, Column] => [
    `${prefix}_${name}`,
    prefix === 'IFLD' ? { ...rest, aliases: [`RFLD_${name}`] } : rest,
  ];
  const explainedBy = `${prefix}_RISKR`;
  return Object.fromEntries([
    column('RISKS', { ...score, explainedBy }),
    column('EALT', { ...loss, explainedBy }),
    column('RISKR', { type: 'string' }),
  ]);
}

const score = { type: 'number', unit: 'percentile' } as const;
const loss = { type: 'number', unit: 'USD/year' } as const;

const RATINGS = ['Very Low', 'Relatively Low', 'Relatively Moderate', 'Relatively High', 'Very High'] as const;

export default defineDataset({
  id: 'fema_nri',
  title: 'National Risk Index',
  publisher: 'FEMA',
  url: 'https://hazards.fema.gov/nri/data-resources',
  format: 'csv',
  licence: 'US public domain',
  cadence: 'about every 2 years',
  vintageRule: 'NRI_VER, the version and month of the index.',
  notes:
    'Column prefix IFLD since version 1.20 (was RFLD). A hazard rated Not Applicable has no score and no loss, and its rating is the reason. The county table is stored without fields of its own.',
  acquire: {
    files: [
      {
        layers: ['tract'],
        via: 'arcgis',
        url: 'https://services.arcgis.com/XG15cJAlne2vxtgt/arcgis/rest/services/National_Risk_Index_Census_Tracts/FeatureServer/0',
        where: "STCOFIPS = '{county}'",
        note: "Version 1.20 of December 2025, with Connecticut's planning regions.",
        seen: 'public code',
      },
      {
        layers: ['county'],
        via: 'arcgis',
        url: 'https://services.arcgis.com/XG15cJAlne2vxtgt/arcgis/rest/services/National_Risk_Index_Counties/FeatureServer/0',
        where: "STCOFIPS = '{county}'",
        form: {
          ending: '.geojson',
          columns: Object.fromEntries(
            ['STCOFIPS', 'RISK_SCORE', 'RISK_RATNG', 'EAL_VALT', 'SOVI_SCORE', 'RESL_SCORE'].map(name => [name, name]),
          ),
        },
        seen: 'public code',
      },
    ],
  },
  layers: {
    tract: {
      title: 'risk index by census tract',
      kind: 'table',
      key: { column: 'TRACTFIPS', is: 'tract_geoid' },
      partition: 'national',
      columns: {
        TRACTFIPS: { type: 'string' },
        STCOFIPS: { type: 'string' },
        NRI_VER: { type: 'string' },
        RISK_SCORE: score,
        RISK_RATNG: { type: 'string', values: [...RATINGS, 'No Rating', 'Insufficient Data'] },
        EAL_VALT: loss,
        SOVI_SCORE: score,
        RESL_SCORE: score,
        ...Object.assign({}, ...HAZARDS.map(hazardColumns)),
      },
    },
    county: {
      title: 'risk index by county',
      kind: 'table',
      key: { column: 'STCOFIPS', is: 'county_fips' },
      partition: 'national',
      columns: {
        STCOFIPS: { type: 'string' },
        RISK_SCORE: score,
        RISK_RATNG: { type: 'string' },
        EAL_VALT: loss,
        SOVI_SCORE: score,
        RESL_SCORE: score,
      },
    },
  },
  fields: {
    nri_risk_score: {
      layer: 'hazards',
      type: 'number',
      unit: 'percentile',
      title: 'NRI risk score',
      description: 'FEMA National Risk Index composite risk score of the census tract.',
      expression: 'area_key_attr(fema_nri:tract, key=tract_geoid, RISK_SCORE)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { natural_hazard: 2 },
      terms: phrases(`
        natural hazard risk, overall risk, how risky is it, risk index, disaster risk, riesgo natural,
        how safe from disasters, fema risk index, national risk score, overall hazard score, composite risk,
        natural hazards overall, how dangerous is nature here, how dangerous, hazards, natural hazards,
        natural disasters, disaster prone, risk score, overall hazard, hazard score, national risk index score,
        dangers, mother nature, disaster score, risk percentile, risk from natural disasters, composite score,
        risk of disasters, natural disaster risk
      `),
      hint: 'A national percentile of tracts: 90 means riskier than nine in ten, not a 90 percent chance of anything.',
    },
    nri_risk_rating: {
      layer: 'hazards',
      type: 'string',
      title: 'NRI risk rating',
      description: 'FEMA National Risk Index composite risk rating of the census tract.',
      expression: 'area_key_attr(fema_nri:tract, key=tract_geoid, RISK_RATNG)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { site_selection: 46, data_center_siting: 41, natural_hazard: 1 },
      terms: phrases(`
        overall risk rating, is it a risky area, national risk index, low or high risk, natural disaster rating,
        rating of the risk index, fema risk rating, overall rating, dangerous place, safe from disasters,
        rated for natural hazards, risk rating, hazard rating, hazard grade, risk grade, rated, risk category,
        risk class, safe from natural disasters, disaster rating
      `),
      hint: 'Quote it in plain-language reports; rating steps are set by clustering, so equal labels can span wide scores.',
      verdict: {
        yes: ['Very High', 'Relatively High'],
        matter: 'natural hazards weigh heavily',
        words: {
          yes: 'The tract is rated {value} for natural hazards, among the riskier in the country',
          no: 'The tract is rated {value} for natural hazards',
        },
        settledBy: 'a study of the single hazards',
      },
    },
    nri_expected_annual_loss_usd: {
      layer: 'hazards',
      type: 'number',
      unit: 'USD/year',
      title: 'NRI expected annual loss',
      description: 'Expected annual loss of the census tract from all natural hazards.',
      expression: 'area_key_attr(fema_nri:tract, key=tract_geoid, EAL_VALT)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { natural_hazard: 14 },
      terms: phrases(`
        expected loss, annual damage, cost of disasters, how much damage a year, expected annual loss, annual loss,
        eal, average annual loss from all hazards, losses from disasters, aal, total expected loss,
        loss from everything, expected yearly loss, total expected yearly loss, all hazards together cost,
        loss from all hazards, expected losses, dollars lost, losses a year, damage per year, expected damage,
        annual losses, dollar losses, yearly damage, total losses, cost of hazards, cost of natural disasters,
        catastrophe loss, cat loss, loss cost
      `),
      hint: 'A tract total: divide by its building value before comparing a city tract with a rural one.',
    },
    nri_social_vulnerability_score: {
      layer: 'hazards',
      type: 'number',
      unit: 'percentile',
      title: 'NRI social vulnerability score',
      description: 'Social vulnerability score of the census tract.',
      expression: 'area_key_attr(fema_nri:tract, key=tract_geoid, SOVI_SCORE)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { natural_hazard: 30 },
      terms: phrases(`
        vulnerable population, social vulnerability, disadvantaged, svi, socially vulnerable,
        vulnerability of the community, vulnerable community, sovi, environmental justice, poor and elderly,
        vulnerable, vulnerability, vulnerable people, disadvantaged community, social risk, underserved, marginalized,
        equity, fragile community, people least able to cope, elderly and poor, ej community, able to cope,
        social vulnerability index, struggling
      `),
      hint: 'High scores steer federal mitigation money; it describes residents, not the building stock.',
    },
    nri_community_resilience_score: {
      layer: 'hazards',
      type: 'number',
      unit: 'percentile',
      title: 'NRI community resilience score',
      description: 'Community resilience score of the census tract.',
      expression: 'area_key_attr(fema_nri:tract, key=tract_geoid, RESL_SCORE)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { natural_hazard: 31 },
      terms: phrases(`
        resilience, how well would the community recover, recovery from disasters, resilient, community resilience,
        how resilient, bounce back, recover, recovery, resilience score, recover from a disaster,
        recover after a disaster, rebuild, get back on its feet, community recover, spring back,
        prepared for disaster, ability to recover, withstand, bounces back
      `),
      hint: 'Higher is better here, unlike every other score of the index, so never add them up.',
    },
    ...HAZARD_SCORES,
    ...HAZARD_LOSSES,
  },
});
