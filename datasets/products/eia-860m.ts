import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'eia_860m',
  title: 'Form EIA-860M monthly generator inventory',
  publisher: 'US Energy Information Administration',
  url: 'https://www.eia.gov/electricity/data/eia860m/xls/{month}_generator{year}.xlsx',
  format: 'xlsx',
  licence: 'US public domain',
  cadence: 'monthly',
  vintageRule: 'Month and year in the workbook name.',
  notes:
    'plant groups the operating sheet by Plant ID, with summed capacity and the Technology of the largest capacity.',
  acquire: {
    files: [
      {
        url: 'https://www.eia.gov/electricity/data/eia860m/xls/{month}_generator{year}.xlsx',
        vintage: {
          newest: 'month',
          back: 6,
          archive: 'https://www.eia.gov/electricity/data/eia860m/archive/xls/{month}_generator{year}.xlsx',
        },
        note: 'A month lies in one of both folders. Header in line 3.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    plant: {
      title: 'power plants',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'Plant ID',
      partition: 'national',
      columns: {
        'Plant ID': { type: 'string' },
        'Plant Name': { type: 'string' },
        Technology: { type: 'string', description: 'Of the largest summed nameplate capacity.' },
        'Nameplate Capacity (MW)': { type: 'number', unit: 'MW' },
      },
    },
    operating: {
      title: 'operating generators',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'Plant ID',
      partition: 'national',
      columns: {
        'Plant ID': { type: 'string' },
        'Generator ID': { type: 'string' },
        Technology: { type: 'string' },
        'Nameplate Capacity (MW)': { type: 'number', unit: 'MW' },
      },
    },
    planned: {
      title: 'planned generators',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'Plant ID',
      partition: 'national',
      columns: {
        'Plant ID': { type: 'string' },
        'Nameplate Capacity (MW)': { type: 'number', unit: 'MW' },
      },
    },
  },
  fields: {
    nearest_power_plant_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest power plant',
      description: 'Distance to the nearest operating utility-scale power plant (1 MW or more).',
      expression: 'nearest_distance(eia_860m:plant, max_km=300)',
      confidence: 'const(high)',
      ttlSeconds: 2_592_000,
      presets: { utilities: 25, grid_interconnect: 22 },
      terms: phrases(`
        power plant, power station, generating station, how far is a power plant, planta eléctrica, generating plant,
        nearest power plant, plant that burns coal, central eléctrica, smokestacks, planta de energía, power plants,
        generating plants, plant smoke, peaker, steam plant, near a power plant, plant that makes power
      `),
      hint: 'A neighbor in both senses: stacks and turbines nearby, but also an existing point where power enters the grid.',
    },
    nearest_power_plant_name: {
      layer: 'utilities',
      type: 'string',
      title: 'Nearest power plant name',
      description: 'Name of the nearest operating power plant.',
      expression: 'nearest_attr(eia_860m:plant, `Plant Name`, max_km=300)',
      confidence: 'const(high)',
      ttlSeconds: 2_592_000,
      presets: { utilities: 26, grid_interconnect: 23 },
      terms: phrases(`
        which power plant, name of the power station, closest generator, power plant called, name of the power plant,
        power plant name, plant called, what power plant, name of the plant, which generating station
      `),
      hint: 'Search it at the energy regulator for planned retirement, which can free transmission capacity.',
    },
    nearest_power_plant_technology: {
      layer: 'utilities',
      type: 'string',
      title: 'Nearest power plant technology',
      description: 'Technology with the most nameplate capacity at the nearest operating power plant.',
      expression: 'nearest_attr(eia_860m:plant, Technology, max_km=300)',
      confidence: 'const(high)',
      ttlSeconds: 2_592_000,
      presets: { utilities: 27, grid_interconnect: 24 },
      terms: phrases(`
        coal or gas plant, what fuel, kind of power plant, hydro or nuclear, energy source of the plant, coal,
        technology of the plant, what does the power plant burn, coal plant, gas plant, fuel of the power plant,
        type of power plant, power plant run on, what the plant burns, run on coal, burns coal or gas,
        natural gas plant, hydro plant, burn coal, coal or gas, type of plant, technology of the power plant,
        coal fired, gas fired, fuel of the plant, plant burn, nuclear or coal, power plant fuel
      `),
      hint: 'Retiring coal or gas next door is an opening for storage or solar at the same interconnection.',
    },
    nearest_power_plant_capacity_mw: {
      layer: 'utilities',
      type: 'number',
      unit: 'MW',
      title: 'Nearest power plant capacity',
      description: 'Total operating nameplate capacity of the nearest power plant.',
      expression: 'nearest_attr(eia_860m:plant, `Nameplate Capacity (MW)`, max_km=300)',
      confidence: 'const(high)',
      ttlSeconds: 2_592_000,
      presets: { utilities: 28, grid_interconnect: 25 },
      terms: phrases(`
        how big is the power plant, megawatts of the plant, plant size, output of the power station,
        how large is the power plant, size of the power plant, capacity of the plant, size of the generating station,
        plant capacity, mw of the plant, plant output, output of the plant, capacity of the power plant,
        how many mw is the plant
      `),
      hint: 'Tells how strong the local grid connection must be; nameplate, not what is delivered on average.',
    },
    nearest_nuclear_plant_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest nuclear plant',
      description: 'Distance to the nearest operating nuclear power plant.',
      expression: "nearest_distance(eia_860m:plant, max_km=1500, where[Technology = 'Nuclear'])",
      confidence: 'const(high)',
      ttlSeconds: 2_592_000,
      presets: { grid_interconnect: 31 },
      terms: phrases(`
        nuclear, reactor, how far from a nuclear plant, evacuation zone, nuclear power station, planta nuclear,
        nuclear plant, nuclear power, reactor nearby, meltdown, distance to a reactor, nuclear plant nearby,
        nuke plant, cooling towers, nuclear reactor, radiation, chernobyl, fukushima, atomic, atomic plant,
        potassium iodide, nuclear evacuation zone, 10 mile zone, nuclear accident, emergency planning zone
      `),
      hint: 'Inside 16 km lies the plume emergency planning zone, inside 80 km the ingestion zone.',
      verdict: {
        yes: { under: 16093.44 },
        margin: 200,
        matter: 'the place is in the emergency zone of a nuclear plant',
        words: {
          yes: 'The nearest nuclear plant is {value} away, within its emergency planning zone',
          no: 'The nearest nuclear plant is {value} away, beyond its emergency planning zone',
        },
        settledBy: "the state's emergency map",
      },
    },
    generation_capacity_within_50km_mw: {
      layer: 'utilities',
      type: 'number',
      unit: 'MW',
      title: 'Generation capacity within 50 km',
      description: 'Operating nameplate generating capacity within 50 km.',
      expression: 'agg_within(eia_860m:operating, `Nameplate Capacity (MW)`, agg=sum, radius_m=50000)',
      confidence: 'const(high)',
      ttlSeconds: 2_592_000,
      presets: { storage_siting: 21, data_center_siting: 23, grid_interconnect: 14 },
      terms: phrases(`
        how much generation nearby, megawatts around, power generation in the region, total capacity nearby,
        generating capacity nearby, installed capacity nearby, generation nearby, generation capacity,
        power generated nearby, megawatts of generation, power made in the region, all the power plants around
      `),
      hint: 'Existing plants mean strong lines but also competition for the same export capacity.',
    },
    planned_generation_capacity_within_50km_mw: {
      layer: 'utilities',
      type: 'number',
      unit: 'MW',
      title: 'Planned generation capacity within 50 km',
      description: 'Planned or under-construction nameplate capacity within 50 km.',
      expression: 'agg_within(eia_860m:planned, `Nameplate Capacity (MW)`, agg=sum, radius_m=50000)',
      confidence: 'const(high)',
      ttlSeconds: 2_592_000,
      presets: { solar_siting: 27, wind_siting: 19, storage_siting: 24, data_center_siting: 24, grid_interconnect: 13 },
      terms: phrases(`
        planned power plants, new generation coming, under construction power, future plants nearby, planned capacity,
        power plants being built, proposed power plants, new power plants coming, power plants on the drawing board,
        proposed generation, power plants planned, plants under construction, new plants, generation being built,
        future generation, planned projects
      `),
      hint: 'A crowded neighborhood queue: expect longer studies and shared upgrade costs. Many of these never get built.',
    },
    solar_capacity_within_50km_mw: {
      layer: 'utilities',
      type: 'number',
      unit: 'MW',
      title: 'Solar capacity within 50 km',
      description: 'Operating utility-scale solar photovoltaic capacity within 50 km.',
      expression:
        "agg_within(eia_860m:operating, `Nameplate Capacity (MW)`, agg=sum, radius_m=50000, where[Technology = 'Solar Photovoltaic'])",
      confidence: 'const(high)',
      ttlSeconds: 2_592_000,
      presets: { solar_siting: 26, storage_siting: 22, grid_interconnect: 26 },
      terms: phrases(`
        solar farms in the region, how much solar nearby, existing solar megawatts, competing solar, solar capacity,
        pv running in the region, operating solar, solar already built, installed solar nearby, pv in the area,
        megawatts of solar nearby, solar farms around, solar running, solar operating, solar built, existing pv,
        pv capacity, solar in operation, installed pv, operating pv
      `),
      hint: 'Where much is running the county has permitted it before, and midday prices are already pushed down.',
    },
    wind_capacity_within_50km_mw: {
      layer: 'utilities',
      type: 'number',
      unit: 'MW',
      title: 'Wind capacity within 50 km',
      description: 'Operating onshore wind capacity within 50 km.',
      expression:
        "agg_within(eia_860m:operating, `Nameplate Capacity (MW)`, agg=sum, radius_m=50000, where[Technology = 'Onshore Wind Turbine'])",
      confidence: 'const(high)',
      ttlSeconds: 2_592_000,
      presets: { wind_siting: 18, storage_siting: 23, grid_interconnect: 27 },
      terms: phrases(`
        wind farms in the region, how much wind power nearby, existing wind megawatts, wind capacity, operating wind,
        installed wind nearby, megawatts of wind, wind already built, wind built nearby, wind already running,
        wind farms around, wind running, wind installed, wind farm capacity, installed wind, megawatts of wind power
      `),
      hint: 'Proof that the wind resource is bankable here, and a warning that evening lines may be full.',
    },
    battery_capacity_within_50km_mw: {
      layer: 'utilities',
      type: 'number',
      unit: 'MW',
      title: 'Battery capacity within 50 km',
      description: 'Operating battery storage capacity within 50 km.',
      expression:
        "agg_within(eia_860m:operating, `Nameplate Capacity (MW)`, agg=sum, radius_m=50000, where[Technology = 'Batteries'])",
      confidence: 'const(high)',
      ttlSeconds: 2_592_000,
      presets: { storage_siting: 11, grid_interconnect: 28 },
      terms: phrases(`
        battery storage in the region, grid batteries nearby, bess nearby, existing storage megawatts,
        battery capacity, batteries already operating, operating storage nearby, installed storage, bess around,
        how much storage runs, batteries, storage running, battery storage, battery projects built, storage built,
        batteries on the grid, battery farms, storage already built
      `),
      hint: 'Saturation shrinks the spread that storage earns; also a sign that local fire officials know the technology.',
    },
  },
});
