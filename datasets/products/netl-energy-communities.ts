import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

/**
 * Column names as the publisher's own services give them (NETL, "2024_Coal_Closure_Energy_Communities" and
 * "2024_MSAs_NonMSAs_that_are_Energy_Communities", https://arcgis.netl.doe.gov/server/rest/services/Hosted): aliases there are
 * GEOID_Tract_2020 and EC_qual_status over names in small letters, and shapefiles cut names to ten characters.
 */
export default defineDataset({
  id: 'netl_energy_communities',
  title: 'Energy community tax credit bonus data layers',
  publisher: 'DOE NETL',
  url: 'https://edx.netl.doe.gov/dataset/ira-energy-community-data-layers',
  format: 'shp zip',
  licence: 'US public domain',
  cadence: 'annual (June)',
  vintageRule: 'Year and version in the layer names.',
  notes: 'Brownfield category is site-specific and excluded.',
  unconfirmed: 'How the shapefiles cut the long names of the services; both ways are accepted.',
  acquire: {
    files: [
      {
        layers: ['coal_closure_tracts'],
        via: 'arcgis',
        url: 'https://arcgis.netl.doe.gov/server/rest/services/Hosted/2024_Coal_Closure_Energy_Communities/FeatureServer/0',
        where: "geoid_county_2020 = '{county}'",
        note: 'Lists only areas that qualify; counties of Connecticut before 2022.',
        seen: 'public code',
      },
      {
        layers: ['msa_nonmsa'],
        via: 'arcgis',
        url: 'https://arcgis.netl.doe.gov/server/rest/services/Hosted/2024_MSAs_NonMSAs_that_are_Energy_Communities/FeatureServer/0',
        where: "geoid_cty_2020 = '{county}'",
        seen: 'public code',
      },
    ],
  },
  layers: {
    coal_closure_tracts: {
      title: 'coal closure tracts',
      kind: 'vector',
      geometry: 'polygon',
      accuracyM: 7.6,
      accuracyIn: 'drawn of census tracts: as those of TIGER/Line',
      joinKey: 'GEOID_Tract_2020',
      partition: 'national',
      columns: {
        GEOID_Tract_2020: {
          type: 'string',
          description: '2020 census tract.',
          aliases: ['geoid_tract_2020', 'GEOID_Trac', 'geoid_trac'],
        },
      },
    },
    msa_nonmsa: {
      title: 'areas of fossil fuel employment',
      kind: 'vector',
      geometry: 'polygon',
      accuracyM: 7.6,
      accuracyIn: 'drawn of counties: as those of TIGER/Line',
      joinKey: 'geoid_cty_2020',
      partition: 'national',
      columns: {
        geoid_cty_2020: {
          type: 'string',
          description: '2020 county.',
          aliases: ['GEOID_cty_2020', 'geoid_cty_', 'GEOID_cty_'],
        },
        EC_qual_status: {
          type: 'string',
          description: 'Yes or No, for the current year.',
          aliases: ['ec_qual_status', 'EC_qual_st', 'ec_qual_st'],
        },
      },
    },
  },
  fields: {
    energy_community_coal_closure: {
      layer: 'utilities',
      type: 'boolean',
      title: 'Energy community coal closure',
      description:
        'Whether the census tract qualifies or adjoins a tract that qualifies as a coal-closure energy community.',
      expression: 'polygon_within(netl_energy_communities:coal_closure_tracts)',
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { site_selection: 33, solar_siting: 29, wind_siting: 40, storage_siting: 31, grid_interconnect: 38 },
      terms: phrases(`
        energy community, coal mine closed, coal plant closed, tax credit bonus, ira adder, itc adder, coal closure,
        energy community tract, bonus for coal closure, coal closure bonus, closed coal mine, closed coal plant,
        coal community, coal town, coal closure tract, retired coal plant, coal adder, bonus credit,
        energy community bonus, coal country, tax credit for coal
      `),
      hint: 'Adds ten percentage points to the tax credit once construction begins while it holds; later closures add tracts, none is removed.',
      verdict: {
        yes: true,
        matter: 'the tract is an energy community',
        words: {
          yes: 'The census tract is a coal closure energy community',
          no: 'The census tract is not a coal closure energy community',
        },
        settledBy: 'a tax adviser',
      },
    },
    energy_community_statistical_area: {
      layer: 'utilities',
      type: 'boolean',
      title: 'Energy community statistical area',
      description: 'Whether the county qualifies as a fossil-fuel-employment energy community in the current tax year.',
      expression: "polygon_within(netl_energy_communities:msa_nonmsa, where[EC_qual_status = 'Yes'])",
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { solar_siting: 30, wind_siting: 41, storage_siting: 32, grid_interconnect: 39 },
      terms: phrases(`
        energy community, fossil fuel employment, tax credit adder, ira bonus, unemployment energy area,
        energy community county, statistical area bonus, fossil employment, itc bonus, fossil jobs,
        energy community area, statistical area category, tax credit bonus area, fossil fuel jobs,
        oil and gas employment, msa energy community, itc adder for the area, unemployment and fossil fuel
      `),
      hint: 'Turns on unemployment published each May, so lock it in with the begin-construction safe harbour before it lapses.',
      verdict: {
        yes: true,
        matter: 'the area is an energy community',
        words: {
          yes: 'The county is in a statistical area that qualifies as an energy community',
          no: 'The county is not in a statistical area that qualifies as an energy community',
        },
        settledBy: 'a tax adviser',
      },
    },
  },
});
