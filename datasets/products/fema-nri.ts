import { type Column, defineDataset, type FieldSource } from '../dataset.ts';

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

/** The tract's score for one hazard; null in the table, so absent, where the hazard is rated Not Applicable. */
function hazardScore(prefix: string, hazard: string, presets: FieldSource['presets'], hint: string): FieldSource {
  return {
    layer: 'hazards',
    type: 'number',
    unit: 'percentile',
    title: `NRI ${hazard} risk score`,
    description: `National Risk Index ${hazard} risk score of the census tract.`,
    expression: `area_key_attr(fema_nri:tract, key=tract_geoid, ${prefix}_RISKS)`,
    confidence: 'const(medium)',
    ttlSeconds: 31_536_000,
    ...(presets && { presets }),
    hint,
  };
}

/** What the tract is expected to lose to one hazard a year; null in the table where the hazard is rated Not Applicable. */
function hazardLoss(prefix: string, hazard: string, presets: FieldSource['presets'], hint: string): FieldSource {
  return {
    layer: 'hazards',
    type: 'number',
    unit: 'USD/year',
    title: `NRI ${hazard} expected annual loss`,
    description: `Expected annual loss of the census tract from ${hazard}.`,
    expression: `area_key_attr(fema_nri:tract, key=tract_geoid, ${prefix}_EALT)`,
    confidence: 'const(medium)',
    ttlSeconds: 31_536_000,
    ...(presets && { presets }),
    hint,
  };
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
  layers: {
    tract: {
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
      hint: 'Quote it in plain-language reports; rating steps are set by clustering, so equal labels can span wide scores.',
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
      hint: 'Higher is better here, unlike every other score of the index, so never add them up.',
    },
    nri_inland_flooding_risk_score: hazardScore(
      'IFLD',
      'inland flooding',
      { flood_risk: 41, natural_hazard: 32 },
      'River and flash floods; a tract may score high while your own lot stands on its dry hill.',
    ),
    nri_coastal_flooding_risk_score: hazardScore(
      'CFLD',
      'coastal flooding',
      { flood_risk: 43, natural_hazard: 33 },
      'Absent inland because not applicable; on the coast combine it with the local flood elevation.',
    ),
    nri_hurricane_risk_score: hazardScore(
      'HRCN',
      'hurricane',
      { natural_hazard: 34 },
      'Wind and value at stake together: use design wind speed, not this, to engineer a roof.',
    ),
    nri_tornado_risk_score: hazardScore(
      'TRND',
      'tornado',
      { wind_siting: 45, natural_hazard: 35 },
      'Justifies a safe room more than a different site, since tracks are narrow and tracts are wide.',
    ),
    nri_strong_wind_risk_score: hazardScore(
      'SWND',
      'strong wind',
      { wind_siting: 43, natural_hazard: 36 },
      'Straight-line storms: review roof fastenings, trees and panel mounts where it exceeds 80.',
    ),
    nri_hail_risk_score: hazardScore(
      'HAIL',
      'hail',
      { solar_siting: 44, natural_hazard: 37 },
      "Ask for impact-rated roofing and hail-stow trackers in the upper fifth, and watch the policy's hail deductible.",
    ),
    nri_lightning_risk_score: hazardScore(
      'LTNG',
      'lightning',
      { wind_siting: 44, natural_hazard: 38 },
      'Upper values speak for surge protection and grounding studies on isolated equipment.',
    ),
    nri_wildfire_risk_score: hazardScore(
      'WFIR',
      'wildfire',
      { wildfire_underwrite: 15, natural_hazard: 39 },
      'Loss-weighted, so empty forest can rank low; set it beside burn probability before writing cover.',
    ),
    nri_earthquake_risk_score: hazardScore(
      'ERQK',
      'earthquake',
      { natural_hazard: 40 },
      'Reflects old building stock as well as shaking; structural design still goes by code spectra.',
    ),
    nri_landslide_risk_score: hazardScore(
      'LNDS',
      'landslide',
      { natural_hazard: 41 },
      'A prompt for a slope-stability report where ground is steep, ignorable on a plain.',
    ),
    nri_drought_risk_score: hazardScore(
      'DRGT',
      'drought',
      { natural_hazard: 42 },
      'Counts crop losses only: industrial and town supply risk is not in it.',
    ),
    nri_heat_wave_risk_score: hazardScore(
      'HWAV',
      'heat wave',
      { natural_hazard: 43 },
      'Population exposure weighs heavily; for workers or equipment look at projected hot days instead.',
    ),
    nri_cold_wave_risk_score: hazardScore(
      'CWAV',
      'cold wave',
      { natural_hazard: 44 },
      'Frozen pipes and crop kill drive it, often where cold is rare and nobody prepared.',
    ),
    nri_winter_weather_risk_score: hazardScore(
      'WNTW',
      'winter weather',
      { natural_hazard: 45 },
      'Snow and sleet disruption: budget clearing and roof load where it is high.',
    ),
    nri_ice_storm_risk_score: hazardScore(
      'ISTM',
      'ice storm',
      { wind_siting: 42, natural_hazard: 46 },
      'Points at long outages from broken lines, so price backup power by it.',
    ),
    nri_avalanche_risk_score: hazardScore(
      'AVLN',
      'avalanche',
      { natural_hazard: 47 },
      'Only mountain tracts have one; a local slide-path map must decide any siting.',
    ),
    nri_tsunami_risk_score: hazardScore(
      'TSUN',
      'tsunami',
      { natural_hazard: 48 },
      "Check the state's evacuation map wherever a value exists; most tracts rightly have none.",
    ),
    nri_volcanic_activity_risk_score: hazardScore(
      'VLCN',
      'volcanic activity',
      { natural_hazard: 49 },
      'Concerns ash and flows near listed volcanoes; the ash part reaches far downwind of them.',
    ),
    nri_inland_flooding_eal_usd: hazardLoss(
      'IFLD',
      'inland flooding',
      { flood_risk: 42 },
      'Divide by the insured stock of the tract for a first burn rate; riverine and flash events are both in it.',
    ),
    nri_coastal_flooding_eal_usd: hazardLoss(
      'CFLD',
      'coastal flooding',
      { flood_risk: 44 },
      'Surge, tides and sea level together; on a barrier island nearly all of it sits in the first rows of houses.',
    ),
    nri_hurricane_eal_usd: hazardLoss(
      'HRCN',
      'hurricane',
      undefined,
      'Wind share of tropical storms, flood excluded: set a wind deductible by it, not the flood retention.',
    ),
    nri_tornado_eal_usd: hazardLoss(
      'TRND',
      'tornado',
      undefined,
      'A long-run mean of rare, total losses: most years bring nothing, so hold reserves rather than smooth budgets.',
    ),
    nri_strong_wind_eal_usd: hazardLoss(
      'SWND',
      'strong wind',
      undefined,
      'Mostly roofs, trees and lines; maintenance contracts are the cheaper answer where it outgrows tornado.',
    ),
    nri_hail_eal_usd: hazardLoss(
      'HAIL',
      'hail',
      undefined,
      'Solar and car-lot operators should price it per exposed square metre, which this tract sum does not show.',
    ),
    nri_lightning_eal_usd: hazardLoss(
      'LTNG',
      'lightning',
      undefined,
      'Small almost everywhere; a high figure points at exposed people outdoors or tall unprotected plant.',
    ),
    nri_wildfire_eal_usd: hazardLoss(
      'WFIR',
      'wildfire',
      { wildfire_underwrite: 16 },
      'Counts buildings and crops at stake, not timber or air quality; reinsurers ask for burn probability beside it.',
    ),
    nri_earthquake_eal_usd: hazardLoss(
      'ERQK',
      'earthquake',
      undefined,
      'Often the largest single item in the West although decades pass without loss: never average it into cash flow.',
    ),
    nri_landslide_eal_usd: hazardLoss(
      'LNDS',
      'landslide',
      undefined,
      'Concentrated on few slopes of the tract, so a flat lot bears next to none of it.',
    ),
    nri_drought_eal_usd: hazardLoss(
      'DRGT',
      'drought',
      undefined,
      'Farm revenue only; zero in a city tract is no statement about its water supply.',
    ),
    nri_heat_wave_eal_usd: hazardLoss(
      'HWAV',
      'heat wave',
      undefined,
      'Mainly the value put on lives, little property: read it for staffing and cooling centres, not for claims.',
    ),
    nri_cold_wave_eal_usd: hazardLoss(
      'CWAV',
      'cold wave',
      undefined,
      'Burst pipes and frozen crops; insulation grants pay where it exceeds the heating share of budgets.',
    ),
    nri_winter_weather_eal_usd: hazardLoss(
      'WNTW',
      'winter weather',
      undefined,
      'Road and roof damage of ordinary snow and sleet; clearing costs are not included.',
    ),
    nri_ice_storm_eal_usd: hazardLoss(
      'ISTM',
      'ice storm',
      undefined,
      'Broken lines and trees: set it against the price of burying the feeder.',
    ),
    nri_avalanche_eal_usd: hazardLoss(
      'AVLN',
      'avalanche',
      undefined,
      'Absent outside mountain tracts, where the sum falls on roads and backcountry users.',
    ),
    nri_tsunami_eal_usd: hazardLoss(
      'TSUN',
      'tsunami',
      undefined,
      'Tiny as a yearly mean, ruinous when it comes; plan by inundation maps.',
    ),
    nri_volcanic_activity_eal_usd: hazardLoss(
      'VLCN',
      'volcanic activity',
      undefined,
      'Where present, ashfall on roofs and crops makes up most; vents far away can cause it.',
    ),
  },
});
