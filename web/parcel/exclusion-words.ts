import { wordsOf } from '../api/titles.ts';

/** What exclusions are called: those of the templates, and what is measured of the ground itself. */
const WORDS: Readonly<Record<string, string>> = {
  boundary: 'Setback from the boundary',
  'usgs_3dep:slope_percent': 'Slopes that are too steep',
  'fema_nfhl:S_FLD_HAZ_AR': 'Flood hazard areas',
  usfws_nwi: 'Wetlands',
  'usgs_nhdplus_hr:NHDWaterbody': 'Lakes and ponds',
  usgs_padus: 'Protected land',
  'census_tiger:roads': 'Roads',
  'eia_atlas:transmission_lines': 'Transmission lines',
  'eia_atlas:natural_gas_pipelines': 'Gas pipelines',
  fema_usa_structures: 'Buildings',
};

/** Whether an exclusion has words of its own. */
export const hasWords = (layer: string): boolean => layer in WORDS;

/** What an exclusion is called. @param layer as programs name it. */
export const exclusionWords = (layer: string): string =>
  WORDS[layer] ?? wordsOf(layer.split(':').at(-1)!.toLowerCase());

/** Templates of projects, as programs and as people call them. */
export const TEMPLATES: readonly (readonly [name: string, title: string])[] = [
  ['housing', 'Houses'],
  ['solar', 'Ground-mounted solar'],
  ['storage', 'Battery storage'],
  ['wind', 'Wind turbines'],
  ['data_center', 'A data center'],
];
