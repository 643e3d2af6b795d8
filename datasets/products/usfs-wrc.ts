import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'usfs_wrc',
  title: 'Wildfire Risk to Communities and Wildfire Hazard Potential rasters',
  publisher: 'USDA Forest Service',
  url: 'https://wildfirerisk.org/download/ and https://www.fs.usda.gov/rds/archive/',
  format: 'geotiff',
  licence: 'US public domain',
  cadence: 'about every 2 years',
  vintageRule: 'Edition of the archive (RDS number and year).',
  notes:
    'Layers BP, CFL (feet), RPS, Exposure, whp_cls. Class 6 non-burnable and 7 water are mapped labels, not absent.',
  unconfirmed: "Values that mean no data in each raster beside the files' own.",
  acquire: {
    files: [
      {
        layers: ['BP', 'CFL', 'RPS', 'Exposure'],
        url: '{link}',
        vintage: {
          index: 'https://www.fs.usda.gov/rds/archive/catalog/RDS-2020-0016-2',
          link: '[^"\'<>]*(RDS-2020-0016-2)[^"\'<>]*{stateName}[^"\'<>]*\\.zip',
        },
        note: 'One zip a state with every raster, as BP_ME.tif (EPSG:5070, 30 m). An address of no file answers 200 with a page.',
        seen: 'unconfirmed',
        form: { ending: '.tif.zip', options: { member: '{layer}_{ST}.tif' } },
      },
    ],
    byHand: 'whp_cls: the classes are in an archive of their own (RDS-2015-0047), whose page hands it over',
  },
  layers: {
    whp_cls: { title: 'wildfire hazard classes', kind: 'raster', bands: 1, sampling: 'nearest', partition: 'national' },
    BP: {
      title: 'burn probability',
      kind: 'raster',
      bands: 1,
      unit: 'probability',
      sampling: 'nearest',
      partition: 'national',
    },
    CFL: {
      title: 'conditional flame length',
      kind: 'raster',
      bands: 1,
      unit: 'ft',
      sampling: 'nearest',
      partition: 'national',
    },
    RPS: {
      title: 'risk to potential structures',
      kind: 'raster',
      bands: 1,
      unit: 'index',
      sampling: 'nearest',
      partition: 'national',
    },
    Exposure: {
      title: 'wildfire exposure types',
      kind: 'raster',
      bands: 1,
      sampling: 'nearest',
      partition: 'national',
    },
  },
  fields: {
    wildfire_hazard_potential_class: {
      layer: 'hazards',
      type: 'string',
      title: 'Wildfire hazard potential class',
      description: 'USFS wildfire hazard potential class, from Very Low to Very High.',
      expression: 'raster_sample(usfs_wrc:whp_cls, 1, map=whp_classes)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: {
        wildfire_underwrite: 1,
        site_selection: 39,
        storage_siting: 15,
        data_center_siting: 40,
        natural_hazard: 5,
      },
      terms: phrases(`
        wildfire, fire risk, forest fire, brush fire danger, incendio, fire hazard class, wildfire class,
        wildfire hazard, fire hazard, wildfire danger, whp, hazard class for fire, incendio forestal,
        riesgo de incendio, bush fire, wildfire zone, fire zone, fire prone, fire-prone, wildfire prone, fire country,
        wildland fire, hazard of wildfire, danger of fire, danger from fire, forest fires, wildfire threat,
        brush fires, grass fires, threat of fire
      `),
      hint: 'Screens where fires would be hard to contain; a house survives or burns by what is within 30 m of it.',
      verdict: {
        yes: ['Moderate', 'High', 'Very High'],
        matter: 'wildfire would be hard to contain',
        words: {
          yes: 'The wildfire hazard potential is {value}, so a fire would be hard to contain',
          no: 'The wildfire hazard potential is {value}',
        },
        settledBy: "an inspection of the lot's fuels",
      },
    },
    wildfire_burn_probability: {
      layer: 'hazards',
      type: 'number',
      unit: 'probability',
      title: 'Wildfire burn probability',
      description: 'Modelled annual probability of wildfire burning the point.',
      expression: 'raster_sample(usfs_wrc:BP, 1)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { wildfire_underwrite: 2, natural_hazard: 16 },
      terms: phrases(`
        chance of a wildfire, how likely is fire, burn probability, fire odds, odds of burning, burn in a given year,
        probability of a fire, chance it burns, probabilidad de incendio, likelihood of wildfire, chance of fire,
        likelihood of fire, odds of a fire, odds of a wildfire, probability of wildfire, likelihood of burning,
        burn odds, chance of burning, annual chance of fire, probability of burning, fire probability,
        chances of a wildfire
      `),
      hint: '0.01 is one chance in a hundred each year, a quarter over thirty years; compare properties by it, not by class names.',
      verdict: {
        yes: { from: 0.01 },
        matter: 'wildfire is likely',
        words: {
          yes: 'Wildfire is likely: the chance is {value}',
          no: 'The chance of wildfire is {value}',
        },
        settledBy: "an inspection of the lot's fuels",
      },
    },
    wildfire_conditional_flame_length_m: {
      layer: 'hazards',
      type: 'number',
      unit: 'm',
      title: 'Wildfire conditional flame length',
      description: 'Expected flame length if a wildfire burns the point.',
      expression: 'raster_sample(usfs_wrc:CFL, 1, scale=0.3048)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { wildfire_underwrite: 3 },
      terms: phrases(`
        flame length, how intense would a fire be, fire intensity, height of flames, flames,
        how high would the flames be, flame height, long would the flames be, flame lengths, how tall are the flames,
        how big would the flames be, fire behavior, how hot would a fire burn, severity of a fire,
        intensity of the fire, fierce would a fire be
      `),
      hint: 'Above 1.2 m hand crews withdraw, above 2.4 m engines do: thin fuels until the number falls below that.',
      verdict: {
        yes: { from: 1.2 },
        margin: 0.1,
        matter: 'a wildfire would be too much for hand crews',
        words: {
          yes: 'The flames of a wildfire would be {value} long, too long for hand crews',
          no: 'The flames of a wildfire would be {value} long, short enough for hand crews',
        },
        settledBy: "an inspection of the lot's fuels",
      },
    },
    wildfire_risk_to_potential_structures: {
      layer: 'hazards',
      type: 'number',
      unit: 'index',
      title: 'Wildfire risk to potential structures',
      description: 'Modelled relative wildfire risk to a hypothetical structure at the point.',
      expression: 'raster_sample(usfs_wrc:RPS, 1)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { wildfire_underwrite: 4 },
      terms: phrases(`
        would a house burn, fire risk to homes, wildfire risk to a building, fire insurance, house burn down,
        house survive a fire, homes burn, risk to structures, se quemaría la casa, house burn, home burn,
        burn the house, lose the house to fire, lose a house to fire, home burn down, fire insurer,
        house catch fire in a wildfire, risk to structures from fire, burn my house, fire get the house, nonrenew
      `),
      hint: 'Joins likelihood with intensity, so it ranks sites for cover; it knows nothing of roof, vents or defensible space.',
    },
    wildfire_exposure_type: {
      layer: 'hazards',
      type: 'string',
      title: 'Wildfire exposure type',
      description: 'Whether a structure at the point would be directly, indirectly or not exposed to wildfire.',
      expression: 'raster_sample(usfs_wrc:Exposure, 1, map=wrc_exposure)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { wildfire_underwrite: 5 },
      terms: phrases(`
        exposed to fire, ember exposure, direct fire exposure, indirect exposure, embers, ember,
        embers reach the house, flying embers, sparks, direct flame, exposure to wildfire, brasas,
        burning forest reach the building, exposed to wildfire, exposed to embers, wildfire exposure, ember storm,
        ember showers, direct or indirect, how would fire reach, fire reach the house, sparks fly, directly exposed,
        indirectly exposed, flames reach the house, fire come to the house
      `),
      hint: 'Indirect means embers and house-to-house spread: harden vents and gutters even where no wild fuel touches the lot.',
      verdict: {
        yes: ['Direct', 'Indirect'],
        matter: 'wildfire can reach a house',
        words: {
          yes: 'The wildfire exposure is {value}, so a fire can reach a house',
          no: 'The wildfire exposure is {value}',
        },
        settledBy: "an inspection of the lot's fuels",
      },
    },
  },
});
