import type { FieldSource } from '../dataset.ts';

/** The tract's score for one hazard; null in the table, so absent, when the hazard is rated Not Applicable. */
function hazardScore(
  prefix: string,
  hazard: string,
  presets: FieldSource['presets'],
  hint: string,
  terms: FieldSource['terms'],
): FieldSource {
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
    terms,
    hint,
  };
}

/** Percentiles of the eighteen hazards of the National Risk Index. */
export const HAZARD_SCORES: Readonly<Record<string, FieldSource>> = {
  nri_inland_flooding_risk_score: hazardScore(
    'IFLD',
    'inland flooding',
    { flood_risk: 41, natural_hazard: 32 },
    'River and flash floods; a tract may score high while your own lot stands on its dry hill.',
    ['river flooding risk', 'inland flood risk', 'flash flooding risk', 'flood score'],
  ),
  nri_coastal_flooding_risk_score: hazardScore(
    'CFLD',
    'coastal flooding',
    { flood_risk: 43, natural_hazard: 33 },
    'Absent inland because not applicable; on the coast combine it with the local flood elevation.',
    ['coastal flood risk', 'tidal flooding', 'sea flooding risk', 'sunny day flooding'],
  ),
  nri_hurricane_risk_score: hazardScore(
    'HRCN',
    'hurricane',
    { natural_hazard: 34 },
    'Wind and value at stake together: use design wind speed, not this, to engineer a roof.',
    ['hurricane risk', 'how bad are hurricanes', 'tropical storm risk score'],
  ),
  nri_tornado_risk_score: hazardScore(
    'TRND',
    'tornado',
    { wind_siting: 45, natural_hazard: 35 },
    'Justifies a safe room more than a different site, since tracks are narrow and tracts are wide.',
    ['tornado risk', 'chance of tornado damage', 'twister risk', 'tornado alley'],
  ),
  nri_strong_wind_risk_score: hazardScore(
    'SWND',
    'strong wind',
    { wind_siting: 43, natural_hazard: 36 },
    'Straight-line storms: review roof fastenings, trees and panel mounts where it exceeds 80.',
    ['wind damage risk', 'strong winds', 'windstorm risk', 'straight-line wind', 'derecho'],
  ),
  nri_hail_risk_score: hazardScore(
    'HAIL',
    'hail',
    { solar_siting: 44, natural_hazard: 37 },
    "Ask for impact-rated roofing and hail-stow trackers in the upper fifth, and watch the policy's hail deductible.",
    ['hail risk', 'hail damage risk', 'risk of hailstorms'],
  ),
  nri_lightning_risk_score: hazardScore(
    'LTNG',
    'lightning',
    { wind_siting: 44, natural_hazard: 38 },
    'Upper values speak for surge protection and grounding studies on isolated equipment.',
    ['lightning risk', 'thunderstorm risk', 'lightning strikes', 'rayos'],
  ),
  nri_wildfire_risk_score: hazardScore(
    'WFIR',
    'wildfire',
    { wildfire_underwrite: 15, natural_hazard: 39 },
    'Loss-weighted, so empty forest can rank low; set it beside burn probability before writing cover.',
    ['wildfire risk score', 'risk of forest fire for the area', 'fire risk index'],
  ),
  nri_earthquake_risk_score: hazardScore(
    'ERQK',
    'earthquake',
    { natural_hazard: 40 },
    'Reflects old building stock as well as shaking; structural design still goes by code spectra.',
    ['earthquake risk', 'quake risk score', 'seismic risk index'],
  ),
  nri_landslide_risk_score: hazardScore(
    'LNDS',
    'landslide',
    { natural_hazard: 41 },
    'A prompt for a slope-stability report where ground is steep, ignorable on a plain.',
    ['landslide risk', 'mudslide risk score', 'risk of slides'],
  ),
  nri_drought_risk_score: hazardScore(
    'DRGT',
    'drought',
    { natural_hazard: 42 },
    'Counts crop losses only: industrial and town supply risk is not in it.',
    ['drought risk', 'risk of dry years', 'crop drought risk'],
  ),
  nri_heat_wave_risk_score: hazardScore(
    'HWAV',
    'heat wave',
    { natural_hazard: 43 },
    'Population exposure weighs heavily; for workers or equipment look at projected hot days instead.',
    ['heat wave risk', 'extreme heat', 'dangerous heat', 'ola de calor'],
  ),
  nri_cold_wave_risk_score: hazardScore(
    'CWAV',
    'cold wave',
    { natural_hazard: 44 },
    'Frozen pipes and crop kill drive it, often where cold is rare and nobody prepared.',
    ['cold wave risk', 'extreme cold', 'deep freeze', 'cold snap'],
  ),
  nri_winter_weather_risk_score: hazardScore(
    'WNTW',
    'winter weather',
    { natural_hazard: 45 },
    'Snow and sleet disruption: budget clearing and roof load where it is high.',
    ['winter storm risk', 'snowstorm', 'blizzard risk', 'winter weather'],
  ),
  nri_ice_storm_risk_score: hazardScore(
    'ISTM',
    'ice storm',
    { wind_siting: 42, natural_hazard: 46 },
    'Points at long outages from broken lines, so price backup power by it.',
    ['ice storm risk', 'freezing rain', 'icing', 'ice on power lines'],
  ),
  nri_avalanche_risk_score: hazardScore(
    'AVLN',
    'avalanche',
    { natural_hazard: 47 },
    'Only mountain tracts have one; a local slide-path map must decide any siting.',
    ['avalanche risk', 'snow slide', 'avalanche danger', 'avalancha'],
  ),
  nri_tsunami_risk_score: hazardScore(
    'TSUN',
    'tsunami',
    { natural_hazard: 48 },
    "Check the state's evacuation map wherever a value exists; most tracts rightly have none.",
    ['tsunami risk', 'tidal wave', 'tsunami zone'],
  ),
  nri_volcanic_activity_risk_score: hazardScore(
    'VLCN',
    'volcanic activity',
    { natural_hazard: 49 },
    'Concerns ash and flows near listed volcanoes; the ash part reaches far downwind of them.',
    ['volcano risk', 'eruption', 'lava', 'ash fall', 'volcán'],
  ),
};
