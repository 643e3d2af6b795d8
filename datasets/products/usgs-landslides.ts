import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'usgs_landslides',
  title: 'US landslide inventory and national susceptibility',
  publisher: 'USGS Landslide Hazards Program',
  url: 'https://www.usgs.gov/tools/us-landslide-inventory-and-susceptibility-map',
  format: 'gdb',
  licence: 'US public domain',
  cadence: 'about yearly',
  vintageRule: 'Version and year of the data release.',
  notes: 'Layers inventory, susceptibility_n10 (value 0 to 81).',
  acquire: {
    byHand:
      'inventory: https://services.arcgis.com/v01gqwM5QqNysAAi/arcgis/rest/services/US_Landslide_point_v2/FeatureServer/11 has points alone, the areas are a file of https://www.sciencebase.gov/catalog/item/671eef1fd34ed0f827ea9f12; susceptibility_n10 is another file of that item, chosen by version',
  },
  layers: {
    inventory: {
      title: 'landslides',
      kind: 'vector',
      geometry: 'polygon',
      joinKey: null,
      partition: 'state',
      columns: {
        // A geodatabase cannot have a column called Date: Esri reserves the word, and its software writes Date_.
        Date: { type: 'string', aliases: ['Date_'] },
        Confidence: { type: 'integer', description: '1 possible, 2 probable, 3 likely, 5 confident, 8 high.' },
      },
    },
    susceptibility_n10: {
      title: 'landslide susceptibility',
      kind: 'raster',
      bands: 1,
      unit: 'index',
      sampling: 'nearest',
      partition: 'national',
    },
  },
  fields: {
    landslide_susceptibility_index: {
      layer: 'hazards',
      type: 'number',
      unit: 'index',
      title: 'Landslide susceptibility index',
      description: 'USGS landslide susceptibility value of the 90 m cell, from 0 (none) to 81 (highest).',
      expression: 'raster_sample(usgs_landslides:susceptibility_n10, 1)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { natural_hazard: 10 },
      terms: phrases(`
        landslide, mudslide, slope failure, will the hill slide, deslizamiento, slide risk, landslides, hill slides,
        slope fails, ground slides, unstable slope, unstable ground, derrumbe, deslave, hillside let go, ground slip,
        land slip, slides, prone to slides, hillside give way, hill slide, hillside slide, hillside collapse,
        slope slide, slope stable, slope stability, unstable, stable hillside, ground slide, mudslides
      `),
      hint: 'Zero clears flat ground only; above about 25 ask for slope stability work before grading.',
      verdict: {
        yes: { from: 25 },
        margin: 1,
        matter: 'slopes may slide',
        words: {
          yes: 'The landslide susceptibility index is {value}, enough to ask for slope stability work',
          no: 'The landslide susceptibility index is {value}, which is low',
        },
        settledBy: 'a slope stability report',
      },
    },
    landslide_count_within_5km: {
      layer: 'hazards',
      type: 'integer',
      unit: 'count',
      title: 'Landslide count within 5 km',
      description: 'Number of inventoried landslides within 5 km.',
      expression: 'count_within(usgs_landslides:inventory, radius_m=5000, where[Confidence >= 3])',
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { natural_hazard: 24 },
      terms: phrases(`
        past landslides, how many landslides, slides nearby, mudslides recorded, landslides within 5 km,
        number of landslides, slides on record, slides mapped, mapped landslides, slides close by, slides around,
        past slides, landslides nearby, landslides in the past, slides in the area, recorded slides, landslide history
      `),
      hint: 'Zero often means that nobody mapped here; several on the same slopes are a red flag for cuts and fills.',
    },
  },
});
