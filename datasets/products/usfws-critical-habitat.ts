import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'usfws_critical_habitat',
  title: 'Threatened and endangered species active critical habitat',
  publisher: 'US Fish and Wildlife Service',
  url: 'https://ecos.fws.gov/docs/crithab/crithab_all/crithab_all_layers.zip',
  format: 'shp zip',
  licence: 'US public domain',
  cadence: 'weekly',
  vintageRule: 'Publication date of the archive.',
  notes: 'Final polygons only.',
  acquire: {
    files: [
      {
        via: 'arcgis',
        url: 'https://services.arcgis.com/QVENGdaPbd4LUkLV/arcgis/rest/services/USFWS_Critical_Habitat/FeatureServer/0',
        ground: 50,
        note: 'Final areas; the archive of layers once held two features. Lines and proposed areas are layers 1 to 3.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    CRITHAB_POLY: {
      title: 'critical habitats',
      kind: 'vector',
      geometry: 'polygon',
      accuracyM: 12,
      accuracyIn: 'FWS, metadata of critical habitat: drawn at 1:24,000 (NMAS: 0.02 inch)',
      joinKey: null,
      partition: 'national',
      columns: {
        sciname: { type: 'string' },
        comname: { type: 'string' },
        listing_st: { type: 'string', description: 'Endangered, Threatened, and the like.' },
      },
    },
  },
  fields: {
    within_critical_habitat: {
      layer: 'land_cover',
      type: 'boolean',
      title: 'Within critical habitat',
      description: 'Whether the point falls inside designated critical habitat of a listed species.',
      expression: 'polygon_within(usfws_critical_habitat:CRITHAB_POLY)',
      confidence: 'edge_m(30)',
      ttlSeconds: 15_552_000,
      presets: { land_cover: 15, solar_siting: 13, wind_siting: 28, storage_siting: 40 },
      terms: phrases(`
        endangered species habitat, critical habitat, protected species, species act, hábitat crítico,
        designated habitat, endangered animals here, esa habitat, listed species habitat,
        endangered species on the land, protected critters, protected wildlife, rare animals,
        protected animals on my land, endangered species, wildlife that could block a permit, especies en peligro,
        rare species, endangered, habitat, endangered plants, threatened or endangered, threatened,
        wildlife protection, endangered species act, fish and wildlife, rare plants, rare species habitat,
        bald eagles, spotted owl
      `),
      hint: 'True triggers section 7 consultation for anything with a federal permit or money; private acts without either are not barred by it.',
      verdict: {
        yes: true,
        matter: 'the place is critical habitat',
        words: {
          yes: 'The place is inside critical habitat, so a federal permit or grant needs a consultation',
          no: 'The place is outside critical habitat',
        },
        settledBy: 'the field office of the wildlife service',
      },
    },
    critical_habitat_species: {
      layer: 'land_cover',
      type: 'string',
      title: 'Critical habitat species',
      description: 'Common name of the species whose critical habitat contains the point.',
      expression: 'polygon_attr(usfws_critical_habitat:CRITHAB_POLY, comname)',
      confidence: 'edge_m(30)',
      ttlSeconds: 15_552_000,
      presets: { land_cover: 31 },
      terms: phrases(`
        which endangered species, what animal is protected here, listed species, threatened species, what species,
        which species, protected animals, which rare species, endangered animal is it, kinds of endangered animals,
        critter
      `),
      hint: 'Look up its recovery plan for seasonal work windows; where habitats overlap only the smallest one is named.',
    },
    nearest_critical_habitat_distance_m: {
      layer: 'land_cover',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest critical habitat',
      description: 'Distance to the nearest designated critical habitat.',
      expression: 'nearest_distance(usfws_critical_habitat:CRITHAB_POLY, max_km=200)',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { land_cover: 32, solar_siting: 36, wind_siting: 29 },
      terms: phrases(`
        how close is endangered species habitat, distance to critical habitat, nearby protected species,
        nearest critical habitat, closest critical habitat, endangered animals nearby, endangered species nearby,
        near endangered, how far from critical habitat
      `),
      hint: 'Noise, dust and runoff can reach beyond the line: under a kilometer expect an agency question about indirect effects.',
      verdict: {
        yes: { under: 1000 },
        matter: 'critical habitat is near',
        words: {
          yes: 'The nearest critical habitat is {value} away, near enough for questions on indirect effects',
          no: 'The nearest critical habitat is {value} away',
        },
        settledBy: 'the field office of the wildlife service',
      },
    },
  },
});
