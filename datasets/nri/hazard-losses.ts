import type { FieldSource } from '../dataset.ts';

/** The expected yearly loss of the tract from one hazard; null in the table when the hazard is rated Not Applicable. */
function hazardLoss(
  prefix: string,
  hazard: string,
  presets: FieldSource['presets'],
  hint: string,
  terms: FieldSource['terms'],
): FieldSource {
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
    terms,
    hint,
  };
}

/** Expected losses to the eighteen hazards of the National Risk Index. */
export const HAZARD_LOSSES: Readonly<Record<string, FieldSource>> = {
  nri_inland_flooding_eal_usd: hazardLoss(
    'IFLD',
    'inland flooding',
    { flood_risk: 42 },
    'Divide by the insured stock of the tract for a first burn rate; riverine and flash events are both in it.',
    ['yearly cost of river floods', 'inland flood losses', 'flood damage in dollars'],
  ),
  nri_coastal_flooding_eal_usd: hazardLoss(
    'CFLD',
    'coastal flooding',
    { flood_risk: 44 },
    'Surge, tides and sea level together; on a barrier island nearly all of it sits in the first rows of houses.',
    ['yearly cost of coastal floods', 'coastal flood losses', 'coastal flood damage in dollars'],
  ),
  nri_hurricane_eal_usd: hazardLoss(
    'HRCN',
    'hurricane',
    undefined,
    'Wind share of tropical storms, flood excluded: set a wind deductible by it, not the flood retention.',
    ['yearly cost of hurricanes', 'hurricane losses', 'hurricane damage in dollars'],
  ),
  nri_tornado_eal_usd: hazardLoss(
    'TRND',
    'tornado',
    undefined,
    'A long-run mean of rare, total losses: most years bring nothing, so hold reserves rather than smooth budgets.',
    ['yearly cost of tornadoes', 'tornado losses', 'tornado damage in dollars'],
  ),
  nri_strong_wind_eal_usd: hazardLoss(
    'SWND',
    'strong wind',
    undefined,
    'Mostly roofs, trees and lines; maintenance contracts are the cheaper answer where it outgrows tornado.',
    ['yearly cost of strong wind', 'wind losses', 'wind damage in dollars'],
  ),
  nri_hail_eal_usd: hazardLoss(
    'HAIL',
    'hail',
    undefined,
    'Solar and car-lot operators should price it per exposed square metre, which this tract sum does not show.',
    ['yearly cost of hail', 'hail losses', 'hail damage in dollars'],
  ),
  nri_lightning_eal_usd: hazardLoss(
    'LTNG',
    'lightning',
    undefined,
    'Small almost everywhere; a high figure points at exposed people outdoors or tall unprotected plant.',
    ['yearly cost of lightning', 'lightning losses', 'lightning damage in dollars'],
  ),
  nri_wildfire_eal_usd: hazardLoss(
    'WFIR',
    'wildfire',
    { wildfire_underwrite: 16 },
    'Counts buildings and crops at stake, not timber or air quality; reinsurers ask for burn probability beside it.',
    ['yearly cost of wildfire', 'wildfire losses', 'wildfire damage in dollars'],
  ),
  nri_earthquake_eal_usd: hazardLoss(
    'ERQK',
    'earthquake',
    undefined,
    'Often the largest single item in the West although decades pass without loss: never average it into cash flow.',
    ['yearly cost of earthquakes', 'earthquake losses', 'earthquake damage in dollars'],
  ),
  nri_landslide_eal_usd: hazardLoss(
    'LNDS',
    'landslide',
    undefined,
    'Concentrated on few slopes of the tract, so a flat lot bears next to none of it.',
    ['yearly cost of landslides', 'landslide losses', 'landslide damage in dollars'],
  ),
  nri_drought_eal_usd: hazardLoss(
    'DRGT',
    'drought',
    undefined,
    'Farm revenue only; zero in a city tract is no statement about its water supply.',
    ['yearly cost of drought', 'drought losses', 'drought damage in dollars'],
  ),
  nri_heat_wave_eal_usd: hazardLoss(
    'HWAV',
    'heat wave',
    undefined,
    'Mainly the value put on lives, little property: read it for staffing and cooling centres, not for claims.',
    ['yearly cost of heat waves', 'heat losses', 'heat wave damage in dollars'],
  ),
  nri_cold_wave_eal_usd: hazardLoss(
    'CWAV',
    'cold wave',
    undefined,
    'Burst pipes and frozen crops; insulation grants pay where it exceeds the heating share of budgets.',
    ['yearly cost of cold waves', 'cold losses', 'cold wave damage in dollars'],
  ),
  nri_winter_weather_eal_usd: hazardLoss(
    'WNTW',
    'winter weather',
    undefined,
    'Road and roof damage of ordinary snow and sleet; clearing costs are not included.',
    ['yearly cost of winter weather', 'winter storm losses', 'snow damage in dollars'],
  ),
  nri_ice_storm_eal_usd: hazardLoss(
    'ISTM',
    'ice storm',
    undefined,
    'Broken lines and trees: set it against the price of burying the feeder.',
    ['yearly cost of ice storms', 'ice storm losses', 'ice damage in dollars'],
  ),
  nri_avalanche_eal_usd: hazardLoss(
    'AVLN',
    'avalanche',
    undefined,
    'Absent outside mountain tracts, where the sum falls on roads and backcountry users.',
    ['yearly cost of avalanches', 'avalanche losses', 'avalanche damage in dollars'],
  ),
  nri_tsunami_eal_usd: hazardLoss(
    'TSUN',
    'tsunami',
    undefined,
    'Tiny as a yearly mean, ruinous when it comes; plan by inundation maps.',
    ['yearly cost of tsunamis', 'tsunami losses', 'tsunami damage in dollars'],
  ),
  nri_volcanic_activity_eal_usd: hazardLoss(
    'VLCN',
    'volcanic activity',
    undefined,
    'Where present, ashfall on roofs and crops makes up most; vents far away can cause it.',
    ['yearly cost of volcanoes', 'volcano losses', 'eruption damage in dollars'],
  ),
};
