import type { FieldSource } from '../dataset.ts';
import { phrases } from '../phrases.ts';

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
    'River and flash floods; a tract may score high while your own lot is on a dry hill.',
    phrases(`
      river flooding risk, inland flood risk, flash flooding risk, flood score, inland flooding, flash floods,
      river floods, riverine flooding, river flooding, flash flood, flash flood risk, inland flooding risk,
      rainfall flooding, pluvial, creek flooding score, flood risk score
    `),
  ),
  nri_coastal_flooding_risk_score: hazardScore(
    'CFLD',
    'coastal flooding',
    { flood_risk: 43, natural_hazard: 33 },
    'Absent inland because not applicable; on the coast combine it with the local flood elevation.',
    phrases(`
      coastal flood risk, tidal flooding, sea flooding risk, sunny day flooding, coastal flooding, high tide flooding,
      nuisance flooding, king tide, coastal flooding risk, sea floods, ocean flooding, tidal flood, tides flood,
      flooding from the sea, flooding from the ocean, saltwater flooding, coastal floods, flooding at high tide
    `),
  ),
  nri_hurricane_risk_score: hazardScore(
    'HRCN',
    'hurricane',
    { natural_hazard: 34 },
    'Wind and value at stake together: use design wind speed, not this, to engineer a roof.',
    phrases(`
      hurricane risk, how bad are hurricanes, tropical storm risk score, hurricane score, risk from hurricanes,
      hurricane danger, risk of hurricanes, hurricane exposure, danger from hurricanes, riesgo de huracán,
      hurricane rating
    `),
  ),
  nri_tornado_risk_score: hazardScore(
    'TRND',
    'tornado',
    { wind_siting: 45, natural_hazard: 35 },
    'Justifies a safe room more than a different site, since tracks are narrow and tracts are wide.',
    phrases(`
      tornado risk, chance of tornado damage, twister risk, tornado alley, tornado score, risk from tornadoes,
      tornado shelter, risk of tornadoes, risk of a tornado, tornado danger, chance of a tornado, storm cellar,
      storm shelter, danger from tornadoes, riesgo de tornado, safe room
    `),
  ),
  nri_strong_wind_risk_score: hazardScore(
    'SWND',
    'strong wind',
    { wind_siting: 43, natural_hazard: 36 },
    'Straight-line storms: review roof fastenings, trees and panel mounts where it exceeds 80.',
    phrases(`
      wind damage risk, strong winds, windstorm risk, straight-line wind, derecho, strong wind, wind damage,
      high winds, vientos fuertes, windstorm, strong wind risk, wind risk, gusts, gust, wind storm, wind storms,
      trees blown down, roof blow off, damaging wind, damaging winds, severe wind, wind gusts, gale, gales,
      wind peril, straight line winds
    `),
  ),
  nri_hail_risk_score: hazardScore(
    'HAIL',
    'hail',
    { solar_siting: 44, natural_hazard: 37 },
    "Ask for impact-rated roofing and hail-stow trackers in the upper fifth, and watch the policy's hail deductible.",
    phrases(`
      hail risk, hail damage risk, risk of hailstorms, hail score, risk from hail, risk of hail, hail danger,
      chance of hail, hail peril, riesgo de granizo, hail exposure
    `),
  ),
  nri_lightning_risk_score: hazardScore(
    'LTNG',
    'lightning',
    { wind_siting: 44, natural_hazard: 38 },
    'Upper values speak for surge protection and grounding studies on isolated equipment.',
    phrases(`
      lightning risk, thunderstorm risk, lightning strikes, lightning bolts, struck by lightning, rayos, lightning,
      lightning risk score, thunderstorms, thunder, thunderstorm, lightning storms, lightning storm, lightning hit,
      electrical storms, lightning danger, lightning bolt, electrical storm, tormentas eléctricas, hit by lightning,
      risk of lightning
    `),
  ),
  nri_wildfire_risk_score: hazardScore(
    'WFIR',
    'wildfire',
    { wildfire_underwrite: 15, natural_hazard: 39 },
    'Loss-weighted, so empty forest can rank low; set it beside burn probability before writing cover.',
    phrases(`
      wildfire risk score, risk of forest fire for the area, fire risk index, wildfire score, fire score,
      risk of wildfire, wildfire risk for the tract, risk of forest fires,
      riesgo de incendios, fire danger for the area
    `),
  ),
  nri_earthquake_risk_score: hazardScore(
    'ERQK',
    'earthquake',
    { natural_hazard: 40 },
    'Reflects old building stock as well as shaking; structural design still goes by code spectra.',
    phrases(`
      earthquake risk, quake risk score, seismic risk index, earthquake score, riesgo sísmico, risk of earthquakes,
      risk of an earthquake, earthquake danger, quake risk, earthquake insurance, riesgo de terremoto, seismic risk
    `),
  ),
  nri_landslide_risk_score: hazardScore(
    'LNDS',
    'landslide',
    { natural_hazard: 41 },
    'A prompt for a slope-stability report where ground is steep, ignorable on a plain.',
    phrases(`
      landslide risk, mudslide risk score, risk of slides, landslide score, risk of landslides, slide danger,
      risk of mudslides, riesgo de deslizamiento, landslide danger
    `),
  ),
  nri_drought_risk_score: hazardScore(
    'DRGT',
    'drought',
    { natural_hazard: 42 },
    'Counts crop losses only: industrial and town supply risk is not in it.',
    phrases(`
      drought risk, risk of dry years, crop drought risk, drought score, risk of drought, droughts, drought prone,
      dry years, drought danger, riesgo de sequía
    `),
  ),
  nri_heat_wave_risk_score: hazardScore(
    'HWAV',
    'heat wave',
    { natural_hazard: 43 },
    'Population exposure weighs heavily; for workers or equipment look at projected hot days instead.',
    phrases(`
      heat wave risk, extreme heat, dangerous heat, ola de calor, heat wave, heat waves, heatwave, heat index,
      heat danger, risk of heat, heat stroke, deadly heat, heat emergencies, extreme heat risk, killer heat,
      heat waves likely, olas de calor, risk of heat waves, excessive heat
    `),
  ),
  nri_cold_wave_risk_score: hazardScore(
    'CWAV',
    'cold wave',
    { natural_hazard: 44 },
    'Frozen pipes and crop kill drive it, often where cold is rare and nobody prepared.',
    phrases(`
      cold wave risk, extreme cold, deep freeze, cold snap, cold wave, arctic blast, polar vortex, ola de frío,
      cold waves, cold spells, cold spell, freeze damage, extreme cold risk, cold danger, risk of cold,
      bitter cold snap, arctic air, hard freeze, frozen pipes, burst pipes, pipes burst, olas de frío
    `),
  ),
  nri_winter_weather_risk_score: hazardScore(
    'WNTW',
    'winter weather',
    { natural_hazard: 45 },
    'Snow and sleet disruption: budget clearing and roof load where it is high.',
    phrases(`
      winter storm risk, snowstorm, blizzard risk, winter weather, blizzard, winter storms, snowstorms,
      tormenta de nieve, nor'easter, winter storm, blizzards, snow storms, snow storm, nor'easters, heavy snow,
      risk of blizzards, snowstorm risk, risk of snow, whiteout, roads closed by snow, winter weather risk
    `),
  ),
  nri_ice_storm_risk_score: hazardScore(
    'ISTM',
    'ice storm',
    { wind_siting: 42, natural_hazard: 46 },
    'Points at long outages from broken lines, so price backup power by it.',
    phrases(`
      ice storm risk, freezing rain, icing, ice on power lines, ice storm, ice storms, tormenta de hielo, ice, sleet,
      ice accumulation, glaze, freezing drizzle, black ice, risk of ice, ice on the trees, ice storm danger,
      ice on the lines
    `),
  ),
  nri_avalanche_risk_score: hazardScore(
    'AVLN',
    'avalanche',
    { natural_hazard: 47 },
    'Only mountain tracts have one; a local slide-path map must decide any siting.',
    phrases(`
      avalanche risk, snow slide, avalanche danger, avalancha, avalanche, avalanches, snow slides down the mountain,
      snowslide, snow slides, avalanche zone, risk of avalanches
    `),
  ),
  nri_tsunami_risk_score: hazardScore(
    'TSUN',
    'tsunami',
    { natural_hazard: 48 },
    "Check the state's evacuation map wherever a value exists; most tracts rightly have none.",
    phrases(`
      tsunami risk, tidal wave, giant wave, wall of water, tsunami zone, tsunami, tsunamis, maremoto, tidal waves,
      tsunami evacuation, giant waves, risk of a tsunami, wave from an earthquake, seismic sea wave
    `),
  ),
  nri_volcanic_activity_risk_score: hazardScore(
    'VLCN',
    'volcanic activity',
    { natural_hazard: 49 },
    'Concerns ash and flows near listed volcanoes; the ash part reaches far downwind of them.',
    phrases(`
      volcano risk, eruption, lava, ash fall, volcán, volcano, volcanic, volcanoes, volcanic ash, erupt,
      volcano erupt, volcanic eruption, volcanos, lava flow, lava zone, lahar, mudflow from a volcano,
      ash from a volcano, risk of a volcano, eruptions
    `),
  ),
};
