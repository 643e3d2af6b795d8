import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'usdot_nad',
  title: 'National Address Database',
  publisher: 'USDOT',
  url: 'https://data.transportation.gov (National Address Database)',
  format: 'csv',
  licence: 'US public domain',
  cadence: 'quarterly',
  vintageRule: 'Release number and date of the national file; the date of its last update a state gives for its rows.',
  notes: 'Not every state takes part; OpenAddresses is the gap filler for geocoding.',
  acquire: {
    files: [
      {
        via: 'arcgis',
        url: 'https://services.arcgis.com/xOi1kZaI0eWDREZv/ArcGIS/rest/services/Address_Points_from_National_Address_Database_view/FeatureServer/0',
        ground: 10,
        note: 'By ground: a condition on State answers 400 or nothing in time (98 million rows).',
        seen: 'public code',
        seenOn: '2026-08',
      },
    ],
  },
  layers: {
    main: {
      title: 'addresses',
      kind: 'vector',
      geometry: 'point',
      joinKey: 'UUID',
      partition: 'state',
      pastEdge: 'absent',
      placement: { column: 'Placement', inside: 'Parcel - Other' },
      columns: {
        UUID: { type: 'string' },
        Add_Number: { type: 'integer', description: 'House number without prefix and suffix.' },
        St_Name: { type: 'string', description: 'Street name without directions and type.' },
        Inc_Muni: {
          type: 'string',
          description: 'Municipality in which the address lies; Unincorporated where in none.',
        },
        Post_City: { type: 'string', description: 'City of the Postal Service, which may be another one.' },
        State: { type: 'string' },
        Zip_Code: { type: 'string' },
        AddNo_Full: { type: 'string', description: 'House number with prefix and suffix.' },
        StNam_Full: { type: 'string', description: 'Street name with directions and type.' },
        Placement: {
          type: 'string',
          description:
            'What the point is on: Structure - Rooftop, Site, Property Access, Parcel - Centroid, Parcel - Other, …',
        },
      },
    },
  },
  fields: {
    nearest_address: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest address',
      description: 'House number and street of the nearest National Address Database point within 1 km.',
      expression:
        "derived(expr[join(' ', a, b)], a=nearest_attr(usdot_nad, AddNo_Full, max_km=1), b=nearest_attr(usdot_nad, StNam_Full, max_km=1))",
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { building_lookup: 7 },
      terms: phrases(`
        what is the address here, street address, closest address, house number, dirección más cercana, address here,
        postal address, mailing address, 911 address, dirección, address number, address for the ambulance,
        address for delivery, closest street address, street number, mail address
      `),
      hint: 'A label for a map pin, not proof of what is there: vacant land carries the number of the house next door.',
    },
    nearest_address_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest address',
      description: 'Distance to the nearest National Address Database point.',
      expression: 'nearest_distance(usdot_nad, max_km=10)',
      confidence: 'const(medium)',
      ttlSeconds: 7_776_000,
      presets: { building_lookup: 8 },
      terms: phrases(`
        how far is the nearest address, distance to a house number, closest mailing address,
        distance to the nearest address point, how far is that address, address point distance,
        closest address distance
      `),
      hint: 'Above some 50 m in town the nearest number belongs to another lot; far out it tells how remote the site is.',
    },
  },
});
