import type { Layer } from '../dataset.ts';

/**
 * What the Census Bureau asked of street centre lines in its MAF/TIGER Accuracy Improvement Project (2003 to 2008): no more
 * than 7.6 m off (Francica, Directions Magazine, "Update on the Master Address File/TIGER Accuracy Improvement Project",
 * directionsmag.com/entry/123636, quoting R. LaMacchia of the Bureau). TIGER/Line itself states no accuracy; taken here for
 * all its lines, of which those that follow no street may be farther off.
 */
const TIGER_M = 7.6;

/** The layers of TIGER/Line that Plat reads, named as the Census Bureau's folders. */
export const TIGER_LAYERS = {
  state: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID',
    partition: 'national',
    expect: { nulls: { GEOID: 0 } },
    columns: {
      GEOID: { type: 'string' },
      STATEFP: { type: 'string' },
      STUSPS: { type: 'string' },
      NAME: { type: 'string' },
    },
  },
  county: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID',
    partition: 'national',
    expect: { nulls: { GEOID: 0 } },
    columns: {
      GEOID: { type: 'string' },
      STATEFP: { type: 'string' },
      COUNTYFP: { type: 'string' },
      NAME: { type: 'string' },
      NAMELSAD: { type: 'string' },
    },
  },
  tract: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID',
    partition: 'state',
    expect: { nulls: { GEOID: 0 } },
    columns: {
      GEOID: { type: 'string' },
      STATEFP: { type: 'string' },
    },
  },
  bg: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID',
    partition: 'state',
    expect: { nulls: { GEOID: 0 } },
    columns: {
      GEOID: { type: 'string' },
    },
  },
  tabblock20: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID20',
    partition: 'county',
    expect: { nulls: { GEOID20: 0 } },
    columns: {
      GEOID20: { type: 'string' },
      POP20: { type: 'integer', unit: 'people' },
      ALAND20: { type: 'number', unit: 'm2' },
      AWATER20: { type: 'number', unit: 'm2' },
    },
  },
  tabblock20_internal_points: {
    kind: 'vector',
    geometry: 'point',
    joinKey: 'GEOID20',
    partition: 'county',
    columns: {
      GEOID20: { type: 'string' },
      POP20: { type: 'integer', unit: 'people' },
    },
  },
  place: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID',
    partition: 'state',
    columns: {
      GEOID: { type: 'string' },
      NAMELSAD: { type: 'string' },
      CLASSFP: { type: 'string', description: 'C1 to C9 are incorporated places, U1 and U2 are census designated.' },
    },
  },
  zcta520: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'ZCTA5CE20',
    partition: 'national',
    columns: {
      ZCTA5CE20: { type: 'string' },
    },
  },
  coastline: {
    kind: 'vector',
    geometry: 'line',
    accuracyM: TIGER_M,
    joinKey: null,
    partition: 'national',
    columns: {
      NAME: { type: 'string' },
    },
  },
  roads: {
    kind: 'vector',
    geometry: 'line',
    accuracyM: TIGER_M,
    joinKey: 'LINEARID',
    partition: 'state',
    columns: {
      LINEARID: { type: 'string' },
      FULLNAME: { type: 'string' },
      MTFCC: { type: 'string' },
      RTTYP: { type: 'string', description: 'C county, I interstate, M common name, O other, S state, U US route.' },
      LFROMADD: {
        type: 'string',
        aliases: ['LFROMHN'],
        description: 'Address ranges as of the edges and address range files: left and right, from and to.',
      },
      LTOADD: { type: 'string', aliases: ['LTOHN'] },
      RFROMADD: { type: 'string', aliases: ['RFROMHN'] },
      RTOADD: { type: 'string', aliases: ['RTOHN'] },
      ZIPL: { type: 'string', description: 'ZIP code of the left side, in the address range files.' },
      ZIPR: { type: 'string', description: 'ZIP code of the right side.' },
    },
  },
  road_graph: {
    kind: 'roads',
    model: 'tiger',
    partition: 'national',
    columns: {
      LINEARID: { type: 'string' },
      MTFCC: { type: 'string' },
    },
  },
  cousub: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID',
    partition: 'state',
    columns: {
      GEOID: { type: 'string' },
      NAMELSAD: { type: 'string' },
    },
  },
  cbsa: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID',
    partition: 'national',
    columns: {
      GEOID: { type: 'string' },
      NAME: { type: 'string' },
    },
  },
  cd: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID',
    partition: 'state',
    columns: {
      GEOID: { type: 'string', description: 'State and district; 00 at large, 98 delegate, ZZ water not assigned.' },
    },
  },
  sldu: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID',
    partition: 'state',
    columns: {
      GEOID: { type: 'string' },
      NAMELSAD: { type: 'string' },
    },
  },
  sldl: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID',
    partition: 'state',
    columns: {
      GEOID: { type: 'string' },
      NAMELSAD: { type: 'string' },
    },
  },
  uac20: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID20',
    partition: 'national',
    columns: {
      GEOID20: { type: 'string' },
      NAME20: { type: 'string' },
    },
  },
  unsd: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID',
    partition: 'state',
    columns: {
      GEOID: { type: 'string' },
      NAME: { type: 'string' },
    },
  },
  elsd: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID',
    partition: 'state',
    columns: {
      GEOID: {
        type: 'string',
        description: 'Elementary districts: only where grades are split between two districts.',
      },
      NAME: { type: 'string' },
    },
  },
  scsd: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID',
    partition: 'state',
    columns: {
      GEOID: { type: 'string', description: 'Secondary districts.' },
      NAME: { type: 'string' },
    },
  },
  aiannh: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'GEOID',
    partition: 'national',
    columns: {
      GEOID: { type: 'string' },
      NAMELSAD: { type: 'string' },
    },
  },
  mil: {
    kind: 'vector',
    geometry: 'polygon',
    accuracyM: TIGER_M,
    joinKey: 'AREAID',
    partition: 'national',
    columns: {
      AREAID: { type: 'string', description: 'Area landmark identifier.' },
      FULLNAME: { type: 'string' },
    },
  },
} as const satisfies Readonly<Record<string, Layer>>;
