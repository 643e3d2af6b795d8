import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'usace_nid',
  title: 'National Inventory of Dams',
  publisher: 'US Army Corps of Engineers',
  url: 'https://nid.sec.usace.army.mil/api/nation/csv',
  format: 'csv',
  licence: 'US public domain',
  cadence: 'monthly',
  vintageRule: 'Date in the first line of the download.',
  notes:
    'Condition and inundation maps of many dams are withheld. The file begins with a line that states its date, before the header.',
  acquire: {
    files: [
      {
        url: 'https://nid.sec.usace.army.mil/api/nation/csv',
        note: 'The first line is a title, the second the header.',
        form: { ending: '.csv', options: { skipLines: 1 } },
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'dams',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'NID ID',
      partition: 'national',
      columns: {
        'NID ID': { type: 'string' },
        'Dam Name': { type: 'string' },
        'Dam Height (Ft)': { type: 'number', unit: 'ft' },
        'Hazard Potential Classification': {
          type: 'string',
          description: 'High, Significant, Low or Undetermined.',
          values: ['High', 'Significant', 'Low', 'Undetermined'],
        },
      },
    },
  },
  fields: {
    nearest_dam_distance_m: {
      layer: 'hazards',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest dam',
      description: 'Distance to the nearest dam in the National Inventory of Dams.',
      expression: 'nearest_distance(usace_nid, max_km=100)',
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { flood_risk: 21, natural_hazard: 28 },
      terms: phrases(`
        dam, how far is the dam, downstream of a dam, presa, nearest dam, dam upstream, below a dam, dam break,
        represa, dams, dam nearby, dams nearby, dam fail, dam fails, dam failure, dam bursts, dam upstream fail,
        dam give way, near a dam, closest dam, dam inundation
      `),
      hint: 'Being close is harmless upstream; ask for the inundation map when the ground lies below it.',
    },
    nearest_dam_hazard_potential: {
      layer: 'hazards',
      type: 'string',
      title: 'Nearest dam hazard potential',
      description: 'Hazard potential classification of the nearest dam.',
      expression: 'nearest_attr(usace_nid, `Hazard Potential Classification`, max_km=100)',
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { flood_risk: 22, natural_hazard: 29 },
      terms: phrases(`
        is the dam dangerous, dam hazard, dam failure risk, high hazard dam, hazard class of the dam,
        dam classification, classification of the dam, hazard potential of the dam, dam letting go,
        would the dam kill people, dam break, dam rated, dam safe, dam safety, hazard rating of the dam, dam rating,
        risk of the dam, dam a danger, dam high hazard, dam considered dangerous, how dangerous is the dam,
        hazard of the dam, dam in good shape, dam condition, is the dam safe, class of the dam
      `),
      hint: 'Rates what a failure would do downstream, not the condition of the structure.',
      verdict: {
        yes: ['High'],
        matter: 'a dam failure would endanger lives',
        words: {
          yes: 'The hazard potential of the nearest dam is {value}, so its failure would endanger lives',
          no: 'The hazard potential of the nearest dam is {value}',
        },
        settledBy: "the dam's inundation map",
      },
    },
    high_hazard_dam_count_within_25km: {
      layer: 'hazards',
      type: 'integer',
      unit: 'count',
      title: 'High hazard dam count within 25 km',
      description: 'Number of high hazard potential dams within 25 km.',
      expression: "count_within(usace_nid, radius_m=25000, where[`Hazard Potential Classification` = 'High'])",
      confidence: 'const(high)',
      ttlSeconds: 7_776_000,
      presets: { flood_risk: 23 },
      terms: phrases(`
        how many dangerous dams, dams around, dam break risk, high hazard dams, number of dams, dangerous dams,
        how many dams, high-hazard dams, dams in the area, risky dams, several dams, count of dams
      `),
      hint: 'Each must have an emergency action plan: request those whose river passes the site.',
    },
  },
});
