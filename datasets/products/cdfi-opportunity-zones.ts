import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'cdfi_opportunity_zones',
  title: 'Designated Qualified Opportunity Zones',
  publisher: 'CDFI Fund and HUD',
  url: 'https://hudgis-hud.opendata.arcgis.com (Opportunity Zones)',
  format: 'shp zip',
  licence: 'US public domain',
  cadence: 'rare (new designations take effect January 2027)',
  vintageRule: 'Year of the designations (2018; the next take effect in January 2027).',
  notes: 'Designated on 2010 tracts, so tested by polygon, not by 2020 tract id.',
  acquire: {
    files: [
      {
        via: 'arcgis',
        url: 'https://services.arcgis.com/VTyQ9soqVukalItT/arcgis/rest/services/Opportunity_Zones/FeatureServer/13',
        ground: 1,
        note: 'First round, tracts of 2010. The second replaces it for new investments on 2027-01-01; its list is not published yet.',
        seen: 'public code',
        seenOn: '2026-06',
      },
    ],
  },
  layers: {
    main: {
      title: 'Opportunity Zones',
      kind: 'vector',
      geometry: 'polygon',
      accuracyM: 7.6,
      accuracyIn: 'drawn of census tracts: as those of TIGER/Line',
      joinKey: 'GEOID10',
      partition: 'national',
      columns: {
        GEOID10: { type: 'string', description: '2010 census tract.' },
      },
    },
  },
  fields: {
    in_opportunity_zone: {
      layer: 'parcels',
      type: 'boolean',
      title: 'In opportunity zone',
      description: 'Whether the point falls in a designated Qualified Opportunity Zone.',
      expression: 'polygon_within(cdfi_opportunity_zones)',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 32, boundaries: 14 },
      terms: phrases(`
        opportunity zone, oz, qoz, tax break for investors, capital gains deferral, qualified opportunity zone,
        opportunity zone deferral, qualified opportunity, tax deferral, zona de oportunidad, opportunity zones,
        capital gains, capital gains tax, tax advantaged, tax break, qoz tract, oz investment, qualified zone,
        tax incentive, defer capital gains, defer taxes, opportunity fund, ozone fund, investment zone
      `),
      hint: 'Capital-gains deferral applies only through a qualified fund; new designations take effect in January 2027, so ask which round a tract is in.',
      verdict: {
        yes: true,
        matter: 'the tract is an opportunity zone',
        words: {
          yes: 'The census tract is a qualified opportunity zone',
          no: 'The census tract is not a qualified opportunity zone',
        },
        settledBy: 'a tax adviser',
      },
    },
    opportunity_zone_tract_geoid: {
      layer: 'parcels',
      type: 'string',
      title: 'Opportunity zone tract GEOID',
      description: 'Census tract of the Qualified Opportunity Zone containing the point.',
      expression: 'polygon_attr(cdfi_opportunity_zones, GEOID10)',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { boundaries: 23 },
      terms: phrases(`
        which opportunity zone, opportunity zone number, oz tract, number of the opportunity zone,
        opportunity zone geoid, oz tract number, opportunity zone tract, tract of the opportunity zone, which oz tract
      `),
      hint: 'A number of the 2010 census: do not compare it with tract codes of later decades.',
    },
  },
});
