import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'eia_atlas',
  title: 'US Energy Atlas infrastructure layers',
  publisher: 'US Energy Information Administration (transmission lines originally HIFLD)',
  url: 'https://atlas.eia.gov',
  format: 'geojson',
  licence: 'US public domain',
  cadence: 'irregular',
  vintageRule: 'Date of last update in the metadata of each layer.',
  notes: 'STATUS and OWNER are incomplete, and lines under about 69 kV are mostly missing.',
  unconfirmed: 'FID, Opername and Pipename of the petroleum product pipelines.',
  acquire: {
    files: [
      {
        layers: ['transmission_lines'],
        via: 'arcgis',
        url: 'https://services2.arcgis.com/FiaPA4ga0iQKduv3/arcgis/rest/services/US_Electric_Power_Transmission_Lines/FeatureServer/0',
        ground: 50,
        note: 'A frozen copy of HIFLD of 2024-09-30, not of EIA: a place file names that source.',
        seen: 'public code',
      },
      {
        layers: ['natural_gas_pipelines'],
        url: 'https://www.eia.gov/maps/map_data/NaturalGas_InterIntrastate_Pipelines_US_EIA.zip',
        note: 'January 2020; the feature service asks for a token.',
        form: { ending: '.shp.zip', columns: { TYPEPIPE: 'TYPEPIPE', Operator: 'Operator', Status: 'Status' } },
        seen: 'public code',
        seenOn: '2026-09',
      },
      {
        layers: ['petroleum_product_pipelines'],
        url: 'https://www.eia.gov/maps/map_data/PetroleumProduct_Pipelines_US_EIA.zip',
        note: 'January 2020; the feature service asks for a token.',
        form: { ending: '.shp.zip', columns: { Opername: 'Opername', Pipename: 'Pipename' } },
        seen: 'public code',
        seenOn: '2026-09',
      },
    ],
  },
  layers: {
    transmission_lines: {
      title: 'transmission lines',
      kind: 'vector',
      geometry: 'line',
      joinKey: 'ID',
      partition: 'state',
      columns: {
        ID: { type: 'string' },
        OWNER: { type: 'string', description: 'NOT AVAILABLE where unknown.' },
        STATUS: { type: 'string' },
        VOLTAGE: { type: 'number', unit: 'kV', description: '-999999 means unknown.' },
        VOLT_CLASS: { type: 'string' },
        SUB_1: { type: 'string' },
        SUB_2: { type: 'string' },
      },
    },
    natural_gas_pipelines: {
      title: 'natural gas pipelines',
      kind: 'vector',
      geometry: 'line',
      joinKey: 'FID',
      partition: 'national',
      columns: {
        FID: { type: 'string' },
        TYPEPIPE: { type: 'string', description: 'Interstate, Intrastate or Gathering.' },
        Operator: { type: 'string' },
        Status: { type: 'string' },
      },
    },
    petroleum_product_pipelines: {
      title: 'petroleum product pipelines',
      kind: 'vector',
      geometry: 'line',
      joinKey: 'FID',
      partition: 'national',
      columns: {
        FID: { type: 'string' },
        Opername: { type: 'string' },
        Pipename: { type: 'string' },
      },
    },
  },
  fields: {
    nearest_transmission_line_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest transmission line',
      description: 'Distance to the nearest in-service transmission line.',
      expression: "nearest_distance(eia_atlas:transmission_lines, max_km=300, where[STATUS = 'IN SERVICE'])",
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: {
        site_selection: 12,
        utilities: 3,
        solar_siting: 9,
        wind_siting: 10,
        storage_siting: 4,
        data_center_siting: 17,
        grid_interconnect: 5,
      },
      terms: phrases(`
        power lines, high voltage line, how far to the grid, pylons, transmission, líneas eléctricas, overhead wires,
        transmission line, power line, nearest line, nearest power line, high tension wires, electromagnetic fields,
        gen-tie, tie line, nearest circuit, torres de alta tensión, línea de transmisión, line to tap, high tension,
        high voltage wires, big wires, pylon, steel towers, lattice towers, power lines nearby, transmission lines,
        transmission corridor, high voltage, high-voltage lines
      `),
      hint: 'Each kilometer of tie line costs roughly a million dollars and a right of way, so short is decisive for generation.',
    },
    nearest_transmission_line_voltage_kv: {
      layer: 'utilities',
      type: 'number',
      unit: 'kV',
      title: 'Nearest transmission line voltage',
      description:
        'Nominal voltage of the nearest in-service transmission line; absent when the published voltage is unknown.',
      expression:
        "nearest_attr(eia_atlas:transmission_lines, VOLTAGE, max_km=300, null[-999999], where[STATUS = 'IN SERVICE'])",
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: {
        utilities: 4,
        solar_siting: 10,
        wind_siting: 11,
        storage_siting: 5,
        data_center_siting: 18,
        grid_interconnect: 6,
      },
      terms: phrases(`
        voltage of the power line, how many kilovolts, kv of the line, line rating, voltage of the line,
        what voltage is the line, line voltage, kv of the nearest line, voltaje de la línea, voltage, kv, line kv,
        volts on the line, how many volts, volts, kilovolts, kilovolt
      `),
      hint: 'Match it to project size: up to 100 MW fits 69 to 138 kV, several hundred want 230 kV or more.',
    },
    nearest_transmission_line_owner: {
      layer: 'utilities',
      type: 'string',
      title: 'Nearest transmission line owner',
      description: 'Owner of the nearest in-service transmission line.',
      expression:
        "nearest_attr(eia_atlas:transmission_lines, OWNER, max_km=300, null['NOT AVAILABLE'], where[STATUS = 'IN SERVICE'])",
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { utilities: 22, grid_interconnect: 7 },
      terms: phrases(`
        who owns the power line, which company owns the wires, owner of the line, whose line, who owns the line,
        transmission company, owner of the power line, owner of the transmission line, line owner,
        who owns the transmission line, owns the lines, whose transmission line, whose wires, who owns the towers
      `),
      hint: 'The company that would study your interconnection; ownership records lag mergers by years.',
    },
    nearest_transmission_line_115kv_plus_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest 115 kV or higher transmission line',
      description: 'Distance to the nearest in-service transmission line of 115 kV or more.',
      expression:
        "nearest_distance(eia_atlas:transmission_lines, max_km=300, where[STATUS = 'IN SERVICE' and VOLTAGE >= 115])",
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { solar_siting: 21, storage_siting: 19, grid_interconnect: 16 },
      terms: phrases(`
        115 kv line, at least 115 kilovolts, high voltage line to connect to, 138 kv, 115 kv transmission, 115kv,
        115 kv or higher line, line of 115 kv or more, at least 115 kv, 138 kilovolt, 115 kilovolt
      `),
      hint: 'The usual screen for projects from 20 to 150 MW; lines without a published voltage are not counted.',
    },
    nearest_transmission_line_230kv_plus_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest 230 kV or higher transmission line',
      description: 'Distance to the nearest in-service transmission line of 230 kV or more.',
      expression:
        "nearest_distance(eia_atlas:transmission_lines, max_km=500, where[STATUS = 'IN SERVICE' and VOLTAGE >= 230])",
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { wind_siting: 17, storage_siting: 20, data_center_siting: 3, grid_interconnect: 17 },
      terms: phrases(`
        230 kv line, at least 230 kilovolts, bulk transmission, 230 kv transmission, 230kv, line of at least 230 kv,
        230 kv or higher line, line of 230 kv or more, at least 230 kv, 230 kilovolt, bulk line
      `),
      hint: 'Sets out whether a few hundred megawatts can be moved without a long new line.',
    },
    nearest_transmission_line_345kv_plus_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest 345 kV or higher transmission line',
      description: 'Distance to the nearest in-service transmission line of 345 kV or more.',
      expression:
        "nearest_distance(eia_atlas:transmission_lines, max_km=800, where[STATUS = 'IN SERVICE' and VOLTAGE >= 345])",
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { data_center_siting: 19, grid_interconnect: 18 },
      terms: phrases(`
        345 kv line, 500 kv, 765 kv, extra high voltage, backbone transmission, 345 kv transmission, 345kv, 500kv,
        345 kv line nearby, at least 345 kv, 345 kilovolt, extra-high voltage, 500 kv line, ehv
      `),
      hint: 'Backbone access for gigawatt loads such as data centers; in regions without this class it may be very far and still fine.',
    },
    transmission_line_max_voltage_kv_within_10km: {
      layer: 'utilities',
      type: 'number',
      unit: 'kV',
      title: 'Highest transmission voltage within 10 km',
      description: 'Highest known voltage among in-service transmission lines within 10 km.',
      expression:
        "agg_within(eia_atlas:transmission_lines, VOLTAGE, agg=max, radius_m=10000, where[STATUS = 'IN SERVICE' and VOLTAGE > 0])",
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { data_center_siting: 20, grid_interconnect: 15 },
      terms: phrases(`
        highest voltage nearby, biggest power line around, strongest line in the area, max kv, highest voltage line,
        largest line nearby, maximum voltage, highest voltage, top voltage, max voltage, biggest line, strongest line,
        largest transmission line, highest kv
      `),
      hint: 'Large projects need the highest class nearby; lines whose voltage was never recorded are passed over, so this is a floor.',
    },
    nearest_natural_gas_pipeline_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest natural gas pipeline',
      description: 'Distance to the nearest interstate or intrastate natural gas transmission pipeline.',
      expression: "nearest_distance(eia_atlas:natural_gas_pipelines, max_km=300, where[Status = 'Operating'])",
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 17, utilities: 8, data_center_siting: 13 },
      terms: phrases(`
        gas pipeline, how far is a gas line, gas main, pipeline nearby, gasoducto, natural gas pipeline,
        gas transmission line, gas transmission, gas line, pipeline easement, explosion of a gas pipe, ducto de gas,
        high pressure gas, pipeline next door, pipeline, pipelines, gas pipelines, pipe explosion, gas mains,
        interstate gas line, transmission pipeline, natural gas line, gas leak, buried gas line, gas trunk line,
        explode, pipeline explosion, pipeline markers, gas transmission pipeline
      `),
      hint: 'Taps for generators start to pay within a few kilometers; for housing it is a consultation zone of roughly 200 m.',
      verdict: {
        yes: { under: 200 },
        matter: 'a gas pipeline is near',
        words: {
          yes: 'The nearest natural gas pipeline is {value} away, near enough to consult its operator',
          no: 'The nearest natural gas pipeline is {value} away',
        },
        settledBy: 'a call to the utility locators',
      },
    },
    nearest_natural_gas_pipeline_operator: {
      layer: 'utilities',
      type: 'string',
      title: 'Nearest natural gas pipeline operator',
      description: 'Operator of the nearest natural gas transmission pipeline.',
      expression: "nearest_attr(eia_atlas:natural_gas_pipelines, Operator, max_km=300, where[Status = 'Operating'])",
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { utilities: 29, data_center_siting: 30 },
      terms: phrases(`
        who owns the gas pipeline, pipeline company, gas transmission operator, operator of the pipeline,
        whose pipeline, who runs the gas pipeline, whose gas line, pipeline operator, pipeline owner,
        owner of the pipeline, company runs the pipeline, who operates the gas line, pipeline belongs, kinder morgan,
        call about the pipeline
      `),
      hint: 'Request capacity and tap terms here; read its informational postings for constraints before sizing a plant.',
    },
    nearest_petroleum_pipeline_distance_m: {
      layer: 'utilities',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest petroleum pipeline',
      description: 'Distance to the nearest petroleum product pipeline.',
      expression: 'nearest_distance(eia_atlas:petroleum_product_pipelines, max_km=300)',
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { utilities: 30 },
      terms: phrases(`
        oil pipeline, petroleum line, fuel pipeline, gasoline pipeline, oleoducto, petroleum pipeline, crude oil line,
        oil line, refined products pipeline, oil pipe close, oil products line, oil pipelines, crude, crude oil,
        gasoline line, diesel line, jet fuel pipeline, oil spill, petroleum, oil leak, liquids pipeline,
        hazardous liquid, products line, crude pipeline, fuel line
      `),
      hint: 'Call 811 and look for markers: lines are generalized by hundreds of meters, and crude oil lines are another layer.',
    },
  },
});
