import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

/**
 * The service publishes huc12_id and year_month with tecuftot_mgd (model wu-thermoelectric-cu), pswdtot_mgd
 * (wu-public-supply-wd) and sui_frac (iwa-assessment-outputs-conus-2025): USGS, NWAA Data Companion,
 * https://api.water.usgs.gov/nwaa-data/data. Stored columns bear other names because the unit is another one.
 */
export default defineDataset({
  id: 'usgs_nwaa',
  title: 'National Water Availability Assessment data companion (water use and supply-use index by HUC12)',
  publisher: 'USGS',
  url: 'https://water.usgs.gov/nwaa-data/',
  format: 'csv',
  licence: 'US public domain',
  cadence: 'about yearly',
  vintageRule: 'Latest full year in the files.',
  notes:
    'Monthly values; the latest full year is averaged. Million gallons per day converted to cubic metres per day on load.',
  unconfirmed: 'Whether a year without rows answers a header alone.',
  acquire: {
    files: (
      [
        ['thermoelectric', 'wu-thermoelectric-cu', 'tecuftot_mgd'],
        ['public_supply', 'wu-public-supply-wd', 'pswdtot_mgd'],
        ['sui', 'iwa-assessment-outputs-conus-2025', 'sui_frac'],
      ] as const
    ).map(([layer, model, variable]) => ({
      layers: [layer],
      via: 'pages',
      url: `https://api.water.usgs.gov/nwaa-data/data?model=${model}&variable=${variable}&location=countyCd:{county}&timeres=annualcy&startdate={year}&enddate={year}&intersection=overlap&format=csv&limit=600`,
      vintage: { newest: 'year', back: 10 },
      form: { ending: '.csv' },
      note: 'The subwatersheds that meet the county, the mean of a calendar year.',
      seen: 'public code',
    })),
  },
  layers: {
    thermoelectric: {
      title: 'thermoelectric water use by subwatershed',
      kind: 'table',
      key: { column: 'huc12_id', is: 'huc12' },
      partition: 'national',
      columns: {
        huc12_id: { type: 'string' },
        consumptive_use: { type: 'number', unit: 'm3/day', aliases: ['tecuftot_mgd'] },
      },
    },
    public_supply: {
      title: 'public water supply by subwatershed',
      kind: 'table',
      key: { column: 'huc12_id', is: 'huc12' },
      partition: 'national',
      columns: {
        huc12_id: { type: 'string' },
        total_withdrawal: { type: 'number', unit: 'm3/day', aliases: ['pswdtot_mgd'] },
      },
    },
    sui: {
      title: 'water supply and use by subwatershed',
      kind: 'table',
      key: { column: 'huc12_id', is: 'huc12' },
      partition: 'national',
      columns: {
        huc12_id: { type: 'string' },
        sui: { type: 'number', aliases: ['sui_frac'], description: 'Surface water supply and use index, 0 to 1.' },
      },
    },
  },
  fields: {
    huc12_thermoelectric_consumptive_use_m3_per_day: {
      layer: 'utilities',
      type: 'number',
      unit: 'm3/day',
      title: 'Thermoelectric consumptive use (HUC12)',
      description: 'Modelled consumptive water use by thermoelectric plants in the subwatershed, latest year mean.',
      expression: 'area_key_attr(usgs_nwaa:thermoelectric, key=huc12, consumptive_use, agg=mean)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { utilities: 35 },
      terms: phrases(`
        water used by power plants, cooling water use, thermoelectric water, thermoelectric,
        water that power plants use, power plant cooling water, power plants drink, water for power plants,
        power plants use water, cooling towers use water, water consumed by power plants, water lost to cooling
      `),
      hint: 'Evaporated in cooling and lost to everyone downstream; zero is usual, a large value means a plant already holds the rights.',
    },
    huc12_public_supply_withdrawal_m3_per_day: {
      layer: 'utilities',
      type: 'number',
      unit: 'm3/day',
      title: 'Public supply withdrawal (HUC12)',
      description: 'Modelled public-supply withdrawals in the subwatershed, latest year mean.',
      expression: 'area_key_attr(usgs_nwaa:public_supply, key=huc12, total_withdrawal, agg=mean)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { utilities: 36, data_center_siting: 33 },
      terms: phrases(`
        water withdrawn for towns, public supply water use, how much water do towns pump, municipal withdrawals,
        withdrawals for public supply, water pumped for towns, public supply, towns take water, municipal water use,
        water pumped by cities, water taken for public supply, city water withdrawals, how much water is pumped,
        public water withdrawal, towns draw
      `),
      hint: 'Compare your own demand with it: a project that would add a tenth or more will be talked about at the utility.',
    },
    surface_water_supply_use_index_huc12: {
      layer: 'utilities',
      type: 'number',
      unit: 'index',
      title: 'Surface water supply and use index (HUC12)',
      description: 'Surface water supply and use index of the subwatershed, from 0 (unused) to 1 (fully used).',
      expression: 'area_key_attr(usgs_nwaa:sui, key=huc12, sui, agg=mean)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { utilities: 37, data_center_siting: 10 },
      terms: phrases(`
        water stress, water scarcity, is there enough water, overused water, escasez de agua, overdrawn water,
        enough water for cooling, surface water supply, water shortage, water supply stress, run out of water,
        falta de agua, water scarce, cooling water scarce, water supply, short of water, water tight, overallocated,
        overdraft, water stressed, stressed watershed, stress on the water, scarce water, scarcity, water running out,
        over-allocated, thirsty, water availability, supply of water, enough water
      `),
      hint: 'Above roughly 0.4 the basin is stressed in dry months; look for reclaimed water or dry cooling before promising volumes.',
      verdict: {
        yes: { from: 0.4 },
        margin: 0.02,
        matter: 'water is scarce in dry months',
        words: {
          yes: 'Water is scarce in dry months: the surface water supply and use index is {value}',
          no: 'The surface water supply and use index is {value}',
        },
        settledBy: 'the state water office',
      },
    },
  },
});
