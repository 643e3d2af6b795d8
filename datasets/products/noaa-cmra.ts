import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'noaa_cmra',
  title: 'Climate Mapping for Resilience and Adaptation screening data',
  publisher: 'NOAA and partners',
  url: 'https://resilience.climate.gov (CMRA screening data FeatureServer)',
  format: 'api json',
  licence: 'US public domain',
  cadence: 'rare',
  vintageRule: 'Release date of the screening data; the models behind it are LOCA CMIP5.',
  notes: 'LOCA CMIP5; RCP85MID is 2035-2064 under RCP8.5; CONUS mostly.',
  acquire: {
    files: [
      {
        via: 'arcgis',
        url: 'https://services3.arcgis.com/0Fs3HcaFfvzXvm7w/arcgis/rest/services/Climate_Mapping_Resilience_and_Adaptation_%28CMRA%29_Climate_and_Coastal_Inundation_Projections/FeatureServer/0',
        where: "GEOID = '{county}'",
        note: 'Counties of 2019. Another service has the edition of 2025 under the same names: the two are never mixed.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'climate projections by county',
      kind: 'table',
      key: { column: 'GEOID', is: 'county_fips' },
      partition: 'national',
      columns: {
        GEOID: { type: 'string' },
        HISTORIC_MEAN_TMAX95F: { type: 'number', unit: 'days/year' },
        RCP85MID_MEAN_TMAX95F: { type: 'number', unit: 'days/year' },
        RCP85MID_MEAN_CDD: { type: 'number', unit: 'degF-days' },
        RCP85MID_MEAN_CONSECDD: { type: 'number', unit: 'days/year' },
      },
    },
  },
  fields: {
    historic_days_above_95f: {
      layer: 'climate',
      type: 'number',
      unit: 'days/year',
      title: 'Historic days above 95 F',
      description: 'Modelled mean annual days above 95 F in the county, 1976-2005.',
      expression: 'area_key_attr(noaa_cmra, key=county_fips, HISTORIC_MEAN_TMAX95F)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      terms: phrases(`
        days over 95 in the past, very hot days historically, past heat, days above 95 historically,
        95 degree days in the past, hot days in the past, days over 95 used to, historic heat, days above 95,
        past hot days, 95 degrees, days over 95, days hotter than 95, historically hot
      `),
      hint: 'A modeled baseline: subtract it from the projection, rather than from station records, to see the change.',
    },
    projected_days_above_95f_midcentury: {
      layer: 'climate',
      type: 'number',
      unit: 'days/year',
      title: 'Projected days above 95 F, mid-century',
      description: 'Projected mean annual days above 95 F in the county, 2035-2064, higher emissions.',
      expression: 'area_key_attr(noaa_cmra, key=county_fips, RCP85MID_MEAN_TMAX95F)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { wildfire_underwrite: 39 },
      terms: phrases(`
        future heat, climate change heat, how hot will it get, days over 95 in 2050, cambio climático, hotter by 2050,
        days above 95 by mid-century, very hot days by the middle of the century, ninety-five degrees in the future,
        hot days in the future, global warming, más calor en el futuro, heat by mid century, hotter by mid century,
        hotter later this century, heat in 2050, 2050, mid-century, midcentury, future hot days, hotter in the future,
        climate change, warming, in thirty years, hot by mid century, future summers, projected heat
      `),
      hint: 'Size cooling, shade and outdoor work shifts on it; a high-emissions path, so read it as the cautious end.',
    },
    projected_cooling_degree_days_f_midcentury: {
      layer: 'climate',
      type: 'number',
      unit: 'degF-days',
      title: 'Projected cooling degree days, mid-century',
      description: 'Projected mean annual cooling degree days in the county, 2035-2064, higher emissions.',
      expression: 'area_key_attr(noaa_cmra, key=county_fips, RCP85MID_MEAN_CDD)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { data_center_siting: 47 },
      terms: phrases(`
        future cooling demand, future air conditioning, climate change cooling, cooling in 2050,
        cooling degree days by mid-century, cooling need in the future, future ac need,
        air conditioning in the future, future air conditioning need, cooling in the future, future cooling,
        ac in 2050, cooling demand by 2050
      `),
      hint: "Scales air-conditioning energy almost in proportion; compare with today's figure of the same county.",
    },
    projected_max_consecutive_dry_days_midcentury: {
      layer: 'climate',
      type: 'number',
      unit: 'days/year',
      title: 'Projected longest dry spell, mid-century',
      description: 'Projected mean annual longest dry spell in the county, 2035-2064, higher emissions.',
      expression: 'area_key_attr(noaa_cmra, key=county_fips, RCP85MID_MEAN_CONSECDD)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { wildfire_underwrite: 40 },
      terms: phrases(`
        future drought, longest dry spell, climate change dry days, dry days in 2050, dry spell,
        longest dry spell by mid-century, dry spells in the future, days without rain, dry spells later,
        longer dry spells, dry spells, days in a row without rain, consecutive dry days, no rain for weeks, rainless,
        longest stretch without rain, stretch without rain, dry stretch, future dry
      `),
      hint: 'Sets storage for rain-fed supply and dust control; a county mean hides wet ridges and dry valleys.',
    },
  },
});
