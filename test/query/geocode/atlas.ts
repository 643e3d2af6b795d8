import type { Value } from '../../../datasets/dataset.ts';
import type { Box } from '../../../datasets/geometry.ts';
import structures from '../../../datasets/products/fema-usa-structures.ts';
import parcels from '../../../datasets/products/parcel-store.ts';
import nad from '../../../datasets/products/usdot-nad.ts';
import { TIGER_LAYERS } from '../../../datasets/tiger/tiger-layers.ts';
import { geocode } from '../../../query/geocode/geocode.ts';
import type { AddressMatch, Geocoded } from '../../../query/geocode/match.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import {
  createFixture,
  dataset,
  type Fixture,
  line,
  type PartitionSpec,
  point,
  rectangle,
} from '../release-fixture.ts';

/** Columns of an address point: number, street, city, state, ZIP code. */
type Point = readonly [
  number: string,
  street: string,
  city: string | null,
  zip: string | null,
  lng: number,
  lat: number,
];

export const points = (state: string, rows: readonly Point[]): PartitionSpec => ({
  key: state,
  place: state,
  features: rows.map(([number, street, city, zip, lng, lat]) => ({
    geometry: point(lng, lat),
    AddNo_Full: number,
    StNam_Full: street,
    Post_City: city,
    State: state,
    Zip_Code: zip,
  })),
});

export const roads = (
  state: string,
  rows: readonly { readonly at: readonly (readonly [number, number])[]; readonly [column: string]: unknown }[],
): PartitionSpec => ({
  key: state,
  place: state,
  features: rows.map(({ at, ...columns }) => ({ geometry: line(...at), ...(columns as Record<string, Value>) })),
});

export const areas = (
  key: string,
  column: string,
  rows: Readonly<Record<string, Box>>,
  more: (name: string) => object = () => ({}),
): PartitionSpec => ({
  key,
  place: key,
  features: Object.entries(rows).map(([name, box]) => ({ geometry: rectangle(box), [column]: name, ...more(name) })),
});

/** House numbers of a street that runs east, 20 metres or so apart. */
export const row = (
  street: string,
  city: string | null,
  zip: string | null,
  numbers: readonly string[],
  lng: number,
  lat: number,
): Point[] => numbers.map((number, i) => [number, street, city, zip, lng + i * 0.00025, lat]);

/** A lot with a house on it, by its south-western corner. */
export const lot = (address: string, lng: number, lat: number, more: object = { city: 'Millton' }) => ({
  geometry: rectangle([lng, lat, lng + 0.0002, lat + 0.0002]),
  address,
  yearbuilt: 1950,
  ...more,
});

/** A release of address points, lots, lines of streets and outlines of cities alone. */
export const addressRelease = (
  main: readonly PartitionSpec[],
  lots: readonly PartitionSpec[],
  streets: readonly PartitionSpec[],
  cities: readonly PartitionSpec[] = [],
) =>
  createFixture(
    [dataset('usdot_nad', nad.layers), dataset('parcel_store', parcels.layers), dataset('census_tiger', TIGER_LAYERS)],
    {
      usdot_nad: { main },
      parcel_store: { main: lots },
      census_tiger: { roads: streets, ...(cities.length > 0 && { place: cities }) },
    },
  );

/** Addresses of towns that never were, in the forms that addresses have across the country. */
export const atlas = () =>
  createFixture(
    [
      dataset('usdot_nad', nad.layers),
      dataset('parcel_store', parcels.layers),
      dataset('fema_usa_structures', structures.layers),
      dataset('census_tiger', TIGER_LAYERS),
    ],
    {
      usdot_nad: {
        main: [
          points('MA', [
            ...row('MAIN ST', 'SPRINGTON', '01199', ['10', '12', '14', '14A', '20', '100'], -72.5, 42.1),
            ...row('N MAIN ST', 'SPRINGTON', '01199', ['30', '32'], -72.5, 42.11),
            ...row('S MAIN ST', 'SPRINGTON', '01199', ['30', '34'], -72.5, 42.09),
            ...row('WEST BROADWAY', 'SPRINGTON', '01199', ['5', '7'], -72.5, 42.12),
            ...row('BROADWAY', 'SPRINGTON', '01199', ['5', '9'], -72.49, 42.12),
            ...row('FIRST ST', 'SPRINGTON', '01199', ['1', '3'], -72.5, 42.13),
            ...row('TWENTY SECOND ST', 'SPRINGTON', '01199', ['8'], -72.5, 42.131),
            ...row("ST JAMES' AVE", 'SPRINGTON', '01199', ['40'], -72.5, 42.132),
            ...row('MT PLEASANT RD', 'SPRINGTON', '01199', ['41'], -72.5, 42.133),
            ...row('MEADOWBROOK LN', 'SPRINGTON', '01199', ['42'], -72.5, 42.134),
            ...row('STATE HWY 9', 'SPRINGTON', '01199', ['900'], -72.5, 42.135),
            ...row('US HWY 20', 'SPRINGTON', '01199', ['901'], -72.5, 42.136),
            ...row('N ST', 'SPRINGTON', '01199', ['17'], -72.5, 42.137),
            ...row('CENTER ST', 'FORT ASHBY', '01198', ['77'], -72.2, 42.3),
            ...row('CENTER ST', 'SAINT ALBANS', '01197', ['77'], -72.1, 42.4),
            // Mistyped FOSE ST may be either.
            ...row('ROSE ST', 'SPRINGTON', '01199', ['61'], -72.51, 42.14),
            ...row('POSE ST', 'SPRINGTON', '01199', ['61'], -72.53, 42.15),
          ]),
          points('CA', [
            ...row('HARLEQUIN CT', 'CALTON', '94999', ['55'], -121, 38),
            ...row('MAIN ST', 'CALTON', '94999', ['10', '11'], -121, 38.01),
          ]),
          points('UT', [
            ...row('S 400 E', 'LAKETOWN', '84199', ['123'], -111.9, 40.7),
            ...row('E 400 S', 'LAKETOWN', '84199', ['123'], -111.8, 40.71),
          ]),
          points('WI', row('BLUEMOUND RD', 'WAUKETON', '53199', ['N6W23001', 'N6W23003'], -88.2, 43)),
          points('NY', [
            ...row('82ND ST', 'QUEENSTOWN', '11399', ['37-16', '37-18'], -73.9, 40.75),
            ...row('ELM ST', 'UPTON', '14999', ['12', '12 1/2'], -77, 42.9),
          ]),
          points('PR', [
            ...row('CALLE SOL', 'SAN JUANITO', '00999', ['150'], -66.1, 18.46),
            ...row('AVE ASHFORD', 'SAN JUANITO', '00999', ['1055'], -66.07, 18.457),
          ]),
          points('TX', [
            ...row('FM 1234', 'RANCHO', '78699', ['500'], -98, 30),
            ...row('RANCH RD 620', 'RANCHO', '78699', ['12400'], -98, 30.1),
            ...row('COUNTY ROAD 12', 'RANCHO', '78699', ['42'], -98, 30.2),
          ]),
        ],
      },
      parcel_store: {
        main: [
          {
            key: 'MA/25013',
            place: 'MA',
            features: [
              {
                geometry: rectangle([-72.4402, 42.2, -72.44, 42.2002]),
                address: '5 QUARRY RD',
                city: 'Springton',
                szip5: '01199',
                yearbuilt: 1950,
              },
              {
                geometry: rectangle([-72.4402, 42.201, -72.44, 42.2012]),
                address: '7 QUARRY RD',
                city: 'Springton',
                szip5: '01199',
                vacant: true,
              },
              {
                geometry: rectangle([-72.4402, 42.202, -72.44, 42.2022]),
                address: '9 QUARRY RD',
                city: 'Springton',
                szip5: '01199',
                yearbuilt: 1960,
              },
            ],
          },
        ],
      },
      fema_usa_structures: {
        main: [
          {
            key: 'MA',
            place: 'MA',
            features: [{ geometry: rectangle([-72.44011, 42.20211, -72.44009, 42.20213]), PROP_ADDR: '9 QUARRY RD' }],
          },
        ],
      },
      census_tiger: {
        roads: [
          roads('MA', [
            {
              FULLNAME: 'Main St',
              LFROMADD: '1',
              LTOADD: '99',
              RFROMADD: '2',
              RTOADD: '98',
              ZIPL: '01199',
              ZIPR: '01199',
              at: [
                [-72.5, 42.1],
                [-72.49, 42.1],
              ],
            },
            {
              FULLNAME: 'Oak Ave',
              LFROMADD: '101',
              LTOADD: '199',
              RFROMADD: '100',
              RTOADD: '198',
              ZIPL: '01199',
              ZIPR: '01199',
              at: [
                [-72.49, 42.1],
                [-72.49, 42.11],
              ],
            },
            {
              FULLNAME: 'Elm Ave',
              ZIPL: '01199',
              ZIPR: '01199',
              at: [
                [-72.48, 42.11],
                [-72.49, 42.11],
                [-72.5, 42.115],
              ],
            },
          ]),
        ],
        place: [
          areas(
            'MA',
            'NAMELSAD',
            { 'Springton city': [-72.6, 42, -72.4, 42.25], 'Fort Ashby town': [-72.25, 42.25, -72.15, 42.35] },
            name => ({ GEOID: `25${name.length}` }),
          ),
          areas('CA', 'NAMELSAD', { 'Calton city': [-121.1, 37.9, -120.9, 38.1] }, () => ({ GEOID: '0600001' })),
        ],
        county: [
          areas('US', 'NAMELSAD', { 'Hampton County': [-73, 41.9, -72, 42.5] }, () => ({
            GEOID: '25013',
            STATEFP: '25',
            NAME: 'Hampton',
          })),
        ],
        state: [
          areas('US', 'NAME', { Massachusetts: [-73.5, 41.2, -69.9, 42.9] }, () => ({ GEOID: '25', STUSPS: 'MA' })),
        ],
        zcta520: [areas('US', 'ZCTA5CE20', { '01199': [-72.6, 42, -72.4, 42.25] })],
      },
    },
  );

/** Asks a fixture's current release. */
export function asker(fixture: Fixture) {
  const cache = createCache(64);
  const ask = (address: string): Promise<Geocoded> =>
    geocode(address, {
      release: openRelease(fixture.home),
      cache,
      deadline: Date.now() + 60_000,
      stopped: () => false,
    });
  /** The answers that a server would not refuse. */
  const answered = async (address: string): Promise<readonly AddressMatch[]> =>
    (await ask(address)).matches.filter(
      m => m.similarity >= 0.8 && !['place', 'county', 'state'].includes(m.accuracyType),
    );
  return { ask, answered };
}
