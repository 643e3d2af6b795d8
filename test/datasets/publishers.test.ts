import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PublishedFile } from '../../datasets/acquire.ts';
import { catalog } from '../../datasets/catalog.ts';

/** What was looked up in November 2026 about every publisher; it stands beside the repository, where it stands at all. */
const LOOKED_UP = new URL('../../../shared/design/publishers.md', import.meta.url);
const lines = existsSync(LOOKED_UP) ? readFileSync(LOOKED_UP, 'utf8').split('\n') : [];

interface Row {
  readonly today: string;
  readonly text: string;
}

/** Dataset → what its rows say; a row may be of one layer, or of two datasets. */
const rows = new Map<string, Row[]>();
for (const line of lines) {
  const [, names, today] = /^\| ([a-z][\w, ]*?(?: [\w ]+|\([^)]*\))?) \| (.*?) \|/.exec(line) ?? [];
  if (names && today && names !== 'dataset')
    for (const name of names.split(', ')) {
      const id = name.split(' ')[0]!;
      rows.set(id, [...(rows.get(id) ?? []), { today, text: line }]);
    }
}

/** Addresses of which a row says nothing, because it is about another layer, or about the rows to ask for. */
const UNSPOKEN: Readonly<Record<string, RegExp>> = {
  bts_ntad: /\/NTAD_\w+\/FeatureServer\/0$/,
  // The row has the coverage beside the address of its service, and the operation of an image service behind it.
  mrlc_nlcd: /\/(?:wcs\?coverage=|USFS_EDW_NLCD_TCC_CONUS\/ImageServer$)/,
  landfire: /\/LF2024_FBFM40_CONUS\/ImageServer$/,
  // The row names the other collections beside the one of its address, and the day of the archive.
  usda_ssurgo: /\/wss_SSA_\{area\}\.zip$/,
  usgs_nwis: /\/ogcapi\/v1\/collections\/field-measurements\/items\?/,
  usdot_nad: /\/Address_Points_from_National_Address_Database_view\/FeatureServer\/0$/,
  usgs_earthquake: /\/Qfaults_GIS\.zip$/,
};

/** The addresses that rows name, as patterns: what stands in braces is any part of a path, a folder stands for its files. */
function patternsOf(texts: readonly string[]): RegExp[] {
  return texts
    .flatMap(text => [
      ...[...text.matchAll(/(?:https:\/|…)\/(?:\{[^}]*\}|[^\s`])*/g)].map(([address]) => address),
      ...[...text.matchAll(/`([\w{}.-]+\.(?:zip|csv))`/g)].map(([, name]) => `…/${name}`),
    ])
    .map(address => {
      const path = decodeURI(address.split('?')[0]!).replace(/[,;)]+$/, '');
      const parts = path.split(/\{[^}]*\}/).map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      const pattern = parts.join('[^/]*').replace(/^…/, 'https://.*');
      return new RegExp(`^${pattern}${pattern.endsWith('/') ? '' : '/?$'}`, 'i');
    });
}

/** What stands in an address for a placeholder, where a row has an example. */
const EXAMPLES: Readonly<Record<string, string>> = { utilities: 'iou' };
const bare = (url: string) =>
  decodeURI(url.split('?')[0]!).replaceAll(/\{(\w+)[^}]*\}/g, (_whole, name: string) => EXAMPLES[name] ?? 'X');
const addressesOf = ({ url, vintage }: PublishedFile) =>
  [url, ...(vintage && 'index' in vintage ? [vintage.index] : [])].filter(address => address !== '{link}');

/** Words of rows that are written as columns are, and are none. */
const WORDS =
  /^(?:AND|API|AVAILABLE|BOM|CKAN|COG|COLUMNNAME|CSV|CWS|DEMs|EIA|EPSG|FROM|HIFLD|HTML|JOIN|JSON|LERC|LF2025|LIKE|MLRA|NAD83|NOT|OGC|PM2|POST|PROVISIONAL|S16|SELECT|TIFFs?|TXT|WCS|WHERE|XLSX|ZIPs?)$/;

/** Columns, keys and parameters that a row names and its dataset does not, with the reason. */
const NOT_READ: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  census_acs: { B19013_M001: 'no field has a margin of error' },
  census_pep: { SUMLEV: 'the key of states has no row of the layer, whose key is that of counties' },
  epa_cws: {
    Primacy_Agency: 'no field names the agency',
    Verification_Status: 'the method of the boundary is told, not who looked at it',
  },
  epa_greenbook: {
    NONATTAIN: 'of the county table; the layers are areas, which have a status of their own',
    REVOKED_NA: 'of the county table',
  },
  epa_radon: { STATE: 'state has it by its name, of which county_fips is made on load' },
  fhwa_hpms: { WA_2024: 'a service that is listed and missing: years are tried from the newest' },
  lbnl_queues: { type_clean: 'the types are read one by one, as type_1 and type_2' },
  nces_edge: { CNTY: 'of the service by county; the whole file is taken' },
  noaa_ibtracs: { TRACK_TYPE: 'of version 4.1; provisional tracks count as the others' },
  noaa_slr: { Depth_Rasters: 'a folder of another product', Extent_Rasters: 'a folder of another product' },
  openei_rates_by_zip: { non_iou_zipcodes_2024: 'a file, of which the address holds a part' },
  openfema: { censusBlockGroupFips: 'became censusGeoid as censusTract did; no field goes below the tract' },
  usace_nid: { STATE: 'the dams are placed by their points' },
  usdot_nad: { outSR: 'not sent to any server', resultRecordCount: 'sent only where a service has no ids' },
  usgs_wbd: { HUC10: 'no layer holds watersheds' },
};

/** What a row names that looks like a column: `snake_case`, `CAPITALS` and `camelCase`, outside of addresses. */
function columnsNamed(texts: readonly string[]): string[] {
  const prose = texts
    .join(' ')
    .replaceAll(/(?:https?:\/\/|…\/|\/rest)[^\s`]*/g, ' ')
    .replaceAll(/`[^`]*\/[^`]*`/g, ' ');
  const pattern =
    /(?<![\w.'{])([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[A-Z][A-Z0-9]{2,}[a-z0-9]*|[a-z]+[A-Z]\w+)(?![\w(])/g;
  return [...new Set([...prose.matchAll(pattern)].map(([, name]) => name!))].filter(name => !WORDS.test(name));
}

describe('the publishers of November 2026', { tags: ['design'] }, () => {
  it('are those of every dataset', () => {
    expect([...rows.keys()].sort()).toEqual([...catalog.datasets.keys()].sort());
  });

  for (const [id, { acquire }] of catalog.datasets)
    it(`${id}: its addresses are those that were looked up, or it says why not`, () => {
      const told = rows.get(id)!;
      const patterns = patternsOf(told.map(({ text }) => text));
      const isRight = told.some(({ today }) => /\bright\b|answers|page works|derived/.test(today));
      const files = acquire.files ?? [];
      for (const file of files)
        if (!isRight && !UNSPOKEN[id]?.test(file.url))
          expect(
            addressesOf(file).some(address => patterns.some(pattern => pattern.test(bare(address)))),
            `${file.url} is not in the row`,
          ).toBe(true);
      // What was said to have moved is declared, or left to hands with a reason that names an address.
      if (!isRight && patterns.length > 0 && files.length === 0) expect(acquire.byHand, id).toMatch(/https:\/\//);
    });
});

describe('columns that the rows name', { tags: ['design'] }, () => {
  it.each([...catalog.datasets.keys()])('%s has them, or it is said why not', id => {
    const text = JSON.stringify(catalog.datasets.get(id));
    const named = columnsNamed(rows.get(id)!.map(row => row.text.replace(/^\| [^|]* \|/, '')));
    const has = (name: string) => new RegExp(`(?<![A-Za-z0-9])${name}(?![A-Za-z0-9])`).test(text);
    const reasons = NOT_READ[id] ?? {};
    expect(named.filter(name => !has(name)).sort()).toEqual(Object.keys(reasons).sort());
    for (const reason of Object.values(reasons)) expect(reason.length).toBeGreaterThan(15);
  });

  it('are found in rows, most of them in datasets', () => {
    const all = [...rows].flatMap(([, texts]) => columnsNamed(texts.map(({ text }) => text)));
    expect(all.length).toBeGreaterThan(55);
  });
});

describe('columns that changed between editions', () => {
  it.each([
    ['census_acs', 'tract', 'B19013_001E', 'B19013_E001'],
    ['census_acs', 'county', 'B19013_001E', 'B19013_E001'],
    ['fema_nri', 'tract', 'IFLD_EALT', 'RFLD_EALT'],
    ['openfema', 'FimaNfipClaims', 'censusTract', 'censusGeoid'],
    ['overture_places', 'main', 'categories.primary', 'taxonomy.primary'],
    ['silvis_wui', 'main', 'WUICLASS2020', 'WUICLASS_2'],
    ['lbnl_queues', 'main', 'mw1', 'mw_1'],
    ['netl_energy_communities', 'msa_nonmsa', 'EC_qual_status', 'ec_qual_status'],
    ['usgs_nwis', 'gwlevels', 'site_no', 'monitoring_location_id'],
    ['epa_cws', 'main', 'Method', 'Model_Method'],
  ])('%s:%s reads %s and %s', (dataset, layer, name, other) => {
    const target = catalog.datasets.get(dataset)!.layers[layer]!;
    expect(target.kind).not.toBe('raster');
    const columns = 'columns' in target ? target.columns : {};
    expect([name, ...(columns[name]?.aliases ?? [])]).toContain(other);
  });
});
