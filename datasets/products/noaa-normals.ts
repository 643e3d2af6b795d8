import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'noaa_normals',
  title: 'US Climate Normals 1991-2020, annual and seasonal by station',
  publisher: 'NOAA NCEI',
  url: 'https://www.ncei.noaa.gov/data/normals-annualseasonal/1991-2020/access/',
  format: 'csv',
  licence: 'US public domain',
  cadence: 'decadal',
  vintageRule: 'Period of the normals in the folder name (1991-2020).',
  notes:
    'Missing codes below -999 are dropped; -7777 is trace and read as 0. Both happen on load, in the place file, so that a station without a value is never taken for one that has it.',
  acquire: {
    files: [
      {
        url: 'https://www.ncei.noaa.gov/data/normals-annualseasonal/1991-2020/archive/us-climate-normals_1991-2020_v1.0.1_annualseasonal_multivariate_by-station_c20230404.tar.gz',
        note: 'A CSV a station (54 MB in all) with headers that differ: `member: "*.csv"` unites them by name. -9999, -7777, -6666, -5555 and -4444 are no values.',
        form: { ending: '.tar.gz', options: { member: '*.csv' } },
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'climate stations',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'STATION',
      partition: 'national',
      columns: {
        STATION: { type: 'string' },
        LATITUDE: { type: 'number', unit: 'degrees' },
        LONGITUDE: { type: 'number', unit: 'degrees' },
        ELEVATION: { type: 'number', unit: 'm' },
        'ANN-TAVG-NORMAL': { type: 'number', unit: 'degF' },
        'JJA-TMAX-NORMAL': { type: 'number', unit: 'degF' },
        'DJF-TMIN-NORMAL': { type: 'number', unit: 'degF' },
        'ANN-PRCP-NORMAL': { type: 'number', unit: 'inches' },
        'ANN-SNOW-NORMAL': { type: 'number', unit: 'inches' },
        'ANN-HTDD-NORMAL': { type: 'number', unit: 'degF-days' },
        'ANN-CLDD-NORMAL': { type: 'number', unit: 'degF-days' },
        'ANN-TMAX-AVGNDS-GRTH090': { type: 'number', unit: 'days/year' },
        'ANN-TMIN-AVGNDS-LSTH032': { type: 'number', unit: 'days/year' },
      },
    },
  },
  fields: {
    mean_annual_temperature_c: {
      layer: 'climate',
      type: 'number',
      unit: 'degC',
      title: 'Mean annual temperature',
      description: 'Mean annual temperature, 1991-2020 normal.',
      expression:
        'station_value(noaa_normals, ANN-TAVG-NORMAL, method=idw, k=3, max_km=150, scale=0.5555556, offset=-17.7777778)',
      confidence: 'station_km(25;75)',
      ttlSeconds: 31_536_000,
      terms: phrases(`
        average temperature, how warm, climate, typical temperature, temperatura media, how cold is it on average,
        mean temperature, annual temperature, temperature, temperatura promedio, average temperature of the year,
        warm or cold place, yearly temperature, temperatures, how cold or warm, average temp
      `),
      hint: 'Weighed from up to three stations: in mountains correct by about 6.5 degrees per kilometer of height difference.',
    },
    summer_mean_max_temperature_c: {
      layer: 'climate',
      type: 'number',
      unit: 'degC',
      title: 'Summer mean max temperature',
      description: 'Mean daily maximum temperature in June to August, 1991-2020 normal.',
      expression:
        'station_value(noaa_normals, JJA-TMAX-NORMAL, method=idw, k=3, max_km=150, scale=0.5555556, offset=-17.7777778)',
      confidence: 'station_km(25;75)',
      ttlSeconds: 31_536_000,
      presets: { wildfire_underwrite: 37, data_center_siting: 46 },
      terms: phrases(`
        summer heat, how hot in summer, july temperature, summer high, average high, calor de verano,
        summer temperature, hot summers, heat of summer, july heat, august heat, temperatura en verano,
        how hot does it get, afternoons, summer afternoons, how warm in summer, warm summer, sweltering, hot summer,
        summers, hot in july, hot in august, summer days, hot does summer get, july afternoons, highs in summer,
        summertime, bake in summer, temperature in july
      `),
      hint: 'The design day is hotter by several degrees; use it to rank places, not to size a chiller.',
    },
    winter_mean_min_temperature_c: {
      layer: 'climate',
      type: 'number',
      unit: 'degC',
      title: 'Winter mean min temperature',
      description: 'Mean daily minimum temperature in December to February, 1991-2020 normal.',
      expression:
        'station_value(noaa_normals, DJF-TMIN-NORMAL, method=idw, k=3, max_km=150, scale=0.5555556, offset=-17.7777778)',
      confidence: 'station_km(25;75)',
      ttlSeconds: 31_536_000,
      terms: phrases(`
        how cold in winter, winter low, january temperature, winter cold, frío de invierno, cold in january,
        cold at night in winter, cold at night, how cold does it get, winter temperature, coldest months,
        january nights, temperatura en invierno, coldest, subzero, pipes freeze, winter nights, cold nights, frigid,
        bitter cold, how cold do the nights get, winters, cold winter, winter lows, freezing in winter, wintertime,
        temperature in january, harsh winters, mild winters, january cold
      `),
      hint: 'Below freezing means frost-protected pipes and footings; valleys trap colder air than any station tells.',
    },
    annual_precipitation_mm: {
      layer: 'climate',
      type: 'number',
      unit: 'mm',
      title: 'Annual precipitation',
      description: 'Mean annual precipitation, 1991-2020 normal.',
      expression: 'station_value(noaa_normals, ANN-PRCP-NORMAL, method=idw, k=3, max_km=150, scale=25.4)',
      confidence: 'station_km(25;75)',
      ttlSeconds: 31_536_000,
      presets: { wildfire_underwrite: 36 },
      terms: phrases(`
        how much does it rain in a year, rain, rainfall, how much does it rain, precipitation, inches of rain,
        wet climate, lluvia, annual rain, annual rainfall, yearly rain, rain a year, rain do we get, rainy,
        how wet is the climate, cuánto llueve, dryland farming, wet or dry climate, inches of rain a year, rains,
        raining, rain fall, dry farming, rainwater, collect rainwater, annual precip, precip, rain a lot, rains a lot,
        wet or dry
      `),
      hint: 'Under 250 is desert, above 1,500 very wet; slopes facing the wind get far more than a valley station.',
    },
    annual_snowfall_cm: {
      layer: 'climate',
      type: 'number',
      unit: 'cm',
      title: 'Annual snowfall',
      description: 'Mean annual snowfall, 1991-2020 normal.',
      expression: 'station_value(noaa_normals, ANN-SNOW-NORMAL, method=idw, k=3, max_km=150, scale=2.54)',
      confidence: 'station_km(25;75)',
      ttlSeconds: 31_536_000,
      presets: { solar_siting: 46 },
      terms: phrases(`
        snow, how much snow, snowfall, inches of snow, winter snow, nieve, snow load, snow a year, snowy, shovel snow,
        plow, feet of snow, inches of snow a year, cuánto nieva, shovel, how deep does the snow get, snow in a year,
        snowplow, plowing, white stuff, snows, snowing, snow every winter, snow plowing, snow removal, ski weather,
        snow total, inches of snow every year, snow blower, snowblower
      `),
      hint: 'Plan plowing, roof loads and panel losses with it; many stations never measured snow and are passed over.',
    },
    heating_degree_days_f: {
      layer: 'climate',
      type: 'number',
      unit: 'degF-days',
      title: 'Heating degree days (base 65 F)',
      description: 'Mean annual heating degree days, base 65 F, 1991-2020 normal.',
      expression: 'station_value(noaa_normals, ANN-HTDD-NORMAL, method=idw, k=3, max_km=150)',
      confidence: 'station_km(25;75)',
      ttlSeconds: 31_536_000,
      terms: phrases(`
        heating, heating costs, heating degree days, how much heating, hdd, heating bills, heating season,
        heating need, calefacción, heating bill, heat the house, heating oil, winter heating, heating load,
        cost to heat, heating demand, degree days for heating, insulation
      `),
      hint: 'Roughly proportional to heating fuel: 7,000 is New England, 2,000 the Gulf coast.',
    },
    cooling_degree_days_f: {
      layer: 'climate',
      type: 'number',
      unit: 'degF-days',
      title: 'Cooling degree days (base 65 F)',
      description: 'Mean annual cooling degree days, base 65 F, 1991-2020 normal.',
      expression: 'station_value(noaa_normals, ANN-CLDD-NORMAL, method=idw, k=3, max_km=150)',
      confidence: 'station_km(25;75)',
      ttlSeconds: 31_536_000,
      presets: { data_center_siting: 14 },
      terms: phrases(`
        cooling, air conditioning, ac costs, cooling degree days, cdd, air conditioner, cooling bills, run the ac,
        cooling need, aire acondicionado, ac, cool the house, need air conditioning, air conditioners, cooling load,
        cooling demand, a/c, degree days for cooling, cost to cool, cooling costs, cooling degree,
        run the air conditioner
      `),
      hint: 'Roughly proportional to air-conditioning energy; coasts and heights differ sharply within a county.',
    },
    days_above_90f: {
      layer: 'climate',
      type: 'number',
      unit: 'days/year',
      title: 'Days above 90 F',
      description: 'Mean annual days with a maximum of 90 F or more, 1991-2020 normal.',
      expression: 'station_value(noaa_normals, ANN-TMAX-AVGNDS-GRTH090, method=idw, k=3, max_km=150)',
      confidence: 'station_km(25;75)',
      ttlSeconds: 31_536_000,
      presets: { wildfire_underwrite: 38, storage_siting: 45 },
      terms: phrases(`
        hot days, days over 90, how many hot days, ninety degree days, heat, over 90, above 90, 90 degrees,
        ninety degrees, days over ninety, hot days a year, days it gets hot, días de calor, scorching,
        really hot days, sweltering days, scorchers, hot, days above 90, hot days in a year, 90 degree days, 90s,
        days in the nineties, heat days, hot weather, how many days over 90, hot season, days over 90 degrees, calor
      `),
      hint: 'More than 30 a year calls for shade and rest rules at outdoor work; city cores run higher than airports.',
    },
    days_below_32f: {
      layer: 'climate',
      type: 'number',
      unit: 'days/year',
      title: 'Days below 32 F',
      description: 'Mean annual days with a minimum of 32 F or less, 1991-2020 normal.',
      expression: 'station_value(noaa_normals, ANN-TMIN-AVGNDS-LSTH032, method=idw, k=3, max_km=150)',
      confidence: 'station_km(25;75)',
      ttlSeconds: 31_536_000,
      terms: phrases(`
        how often does it freeze, freezing nights, freezing days, frost, days below freezing, heladas, growing season,
        below freezing, freezing, frosts, frost days, nights below freezing, killing frost, freeze, días de helada,
        frosty, freezing days a year, freezes, frozen, frost free, frost-free, last frost, first frost,
        freezing temperatures, ice in the morning, freezing weather, nights of frost, helada, days under freezing,
        pipes freezing
      `),
      hint: 'Freeze and thaw cycles wear concrete and roads most where this lies between 60 and 120.',
    },
    climate_station_distance_m: {
      layer: 'climate',
      type: 'number',
      unit: 'm',
      title: 'Climate station distance',
      description: 'Distance to the nearest climate normals station reporting temperature.',
      expression: 'nearest_distance(noaa_normals, max_km=500, where[`ANN-TAVG-NORMAL` is not null])',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      terms: phrases(`
        weather station, how far is the weather station, where is climate measured, climate station,
        station where temperature is measured, weather data measured, nearest weather station, weather station nearby,
        climate data station, where is the weather measured
      `),
      hint: 'Beyond 50 km, or with a ridge between, treat the climate normals of this place as regional.',
    },
  },
});
