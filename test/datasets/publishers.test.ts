import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PublishedFile } from '../../datasets/acquire.ts';
import { catalog } from '../../datasets/catalog.ts';
import right from './right-addresses.json' with { type: 'json' };

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

/** What datasets declared where rows say no more than that it is right: such a row is about what stood there when it was written. */
const RIGHT: Readonly<Record<string, readonly string[]>> = right;

/** Addresses of which a row says nothing, because it is about another layer, or about the rows to ask for. */
const UNSPOKEN: Readonly<Record<string, RegExp>> = {
  bts_ntad: /\/NTAD_\w+\/FeatureServer\/0$/,
  // The row has the coverage beside the address of its service, and the operation of an image service behind it.
  mrlc_nlcd: /\/(?:wcs\?coverage=|USFS_EDW_NLCD_TCC_CONUS\/ImageServer$)/,
  landfire: /\/LF2024_FBFM40_CONUS\/ImageServer$/,
  // The crosswalk is told in the row of LODES.
  census_tiger: /\/\{st\}_xwalk\.csv\.gz$/,
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
  /^(?:AND|API|AVAILABLE|BOM|CKAN|COG|COLUMNNAME|CSV|CWS|DEMs|EIA|EPSG|FROM|HIFLD|HTML|JOIN|JSON|LERC|LF2025|LIKE|MLRA|NAD83|NOT|OGC|PM2|POST|PROVISIONAL|S16|SELECT|TIFFs?|TXT|WCS|WHERE|XLSX|ZIPs?|float\d\d|sha256|[\da-f]{64}|v\d)$/;

/** Columns, keys and parameters that a row names and its dataset does not, with the reason. */
const NOT_READ: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  census_pep: { SUMLEV: 'the key of states has no row of the layer, whose key is that of counties' },
  fema_usa_structures: { FIPS: 'buildings are taken by ground, so that those of the next county are counted too' },
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
  hifld_archive: { countyfips: 'the rows are asked for by ground, which reaches over the county' },
  lbnl_queues: { type_clean: 'the types are read one by one, as type_1 and type_2' },
  nces_edge: { CNTY: 'of the service by county; the whole file is taken' },
  noaa_ibtracs: { TRACK_TYPE: 'of version 4.1; provisional tracks count as the others' },
  noaa_slr: { Depth_Rasters: 'a folder of another product', Extent_Rasters: 'a folder of another product' },
  openei_rates_by_zip: {
    non_iou_zipcodes_2024: 'a file, of which the address holds a part',
    'non_iou_zipcodes_2024.csv': 'a file, of which the address holds a part',
  },
  openfema: { censusBlockGroupFips: 'became censusGeoid as censusTract did; no field goes below the tract' },
  usace_nid: { STATE: 'the dams are placed by their points' },
  usdot_nad: { outSR: 'not sent to any server', resultRecordCount: 'sent only where a service has no ids' },
  usgs_wbd: { HUC10: 'no layer holds watersheds' },
};

/**
 * What a row names that looks like a column, outside of addresses: `snake_case`, `CAPITALS` and `camelCase`; in lower case a name
 * with a digit, one after the word property, and what stands in code marks alone.
 */
function columnsNamed(texts: readonly string[]): string[] {
  const prose = texts
    .join(' ')
    .replaceAll(/(?:https?:\/\/|…\/|\/rest)[^\s`]*/g, ' ')
    .replaceAll(/`[^`]*\/[^`]*`/g, ' ');
  const pattern =
    /(?<![\w.'{])([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[A-Z][A-Z0-9]{2,}[a-z0-9]*|[a-z]+[A-Z]\w+)(?![\w(])/g;
  const plain = [
    ...[...prose.matchAll(/(?<![\w./'{-])([a-z]+\d[a-z\d]*)(?![\w(/-])/g)],
    ...[...prose.matchAll(/\bproperty ([a-z]\w+)/g)],
    // Beside such a name in parentheses all are names.
    ...[...prose.matchAll(/\(((?:[a-z]\w*, )+[a-z]\w*)\)/g)]
      .filter(([, list]) => /[\d_]/.test(list!))
      .flatMap(([, list]) => [...list!.matchAll(/(\w+)/g)]),
    ...[...prose.matchAll(/`([a-z][\w.]*[a-z])`/g)],
  ];
  return [...new Set([...prose.matchAll(pattern), ...plain].map(([, name]) => name!))].filter(
    name => !WORDS.test(name),
  );
}

/** The datasets that rows are about. */
const lookedUp = [...catalog.datasets].filter(([id]) => rows.has(id));

describe('the publishers of November 2026', { tags: ['design'] }, () => {
  // The catalog may have datasets that nobody had thought of then.
  it('have all their datasets', () => {
    expect(rows.size).toBeGreaterThan(65);
    expect([...rows.keys()].filter(id => !catalog.datasets.has(id))).toEqual([]);
  });

  for (const [id, { acquire }] of lookedUp)
    it(`${id}: its addresses are those that were looked up, or it says why not`, () => {
      const told = rows.get(id)!;
      const patterns = patternsOf(told.map(({ text }) => text));
      const files = acquire.files ?? [];
      const isTold = (address: string) =>
        patterns.some(pattern => pattern.test(bare(address))) || (RIGHT[id]?.includes(address) ?? false);
      for (const file of files)
        if (!UNSPOKEN[id]?.test(file.url))
          expect(addressesOf(file).some(isTold), `${file.url} is not in the row`).toBe(true);
      // What was said to have moved is declared, or left to hands with a reason that names an address.
      if (patterns.length > 0 && files.length === 0) expect(acquire.byHand, id).toMatch(/https:\/\//);
    });

  it('are called right where no address is told, and no more are held than are declared', () => {
    const declared = [...catalog.datasets.values()].flatMap(({ acquire }) =>
      (acquire.files ?? []).flatMap(addressesOf),
    );
    for (const [id, addresses] of Object.entries(RIGHT)) {
      expect(
        rows
          .get(id)!
          .map(({ today }) => today)
          .join(),
        id,
      ).toMatch(/\bright\b|answers|derived/);
      for (const address of addresses) expect(declared, address).toContain(address);
    }
  });
});

/** The newest year that a row says is out, and the oldest that it says some state has. */
const YEARS: readonly (readonly [dataset: string, said: string, newest: number, oldest?: number])[] = [
  ['bls_qcew', '2025 is out', 2025],
  ['census_acs', '2024 seen 2026-09', 2024],
  ['census_bps', 'right (2025)', 2025],
  [
    'census_lodes',
    'right (2023, format 8.4) | read the folder: years differ by state (Alaska stops at 2016)',
    2023,
    2016,
  ],
  ['census_pep', 'right (2025)', 2025],
  ['census_tiger', '2026 not published in September 2026', 2025],
  ['fhwa_hpms', 'years 2024 back to 2020 by state', 2024, 2020],
  ['nces_edge', 'public right (2425)', 2025],
  ['noaa_spc', '2025 is out', 2025],
  ['usda_cdl', 'right (2008–2025)', 2025],
];

/** Editions that do not follow from a year that is tried: what a row says, and what the dataset has of it. */
const EDITIONS: readonly (readonly [dataset: string, said: string, has: RegExp])[] = [
  ['cdfi_opportunity_zones', 'first round, 2010 tracts', /first round/i],
  ['census_lodes', 'format 8.4', /LODES8\//],
  ['eia_atlas', 'vintage 2020-01', /2020-01|January 2020/],
  ['eia_atlas', '2024-09-30', /2024-09-30/],
  ['epa_egrid', 'egrid2023_data_rev2.xlsx', /egrid\(\\\\d\{4\}\)_data\(\?:_rev/],
  ['fema_nri', 'version 1.20 (December 2025)', /1\.20/],
  ['hifld_archive', 'frozen August 2025', /August 2025/],
  ['koppen', '1991_2020/', /1991_2020|1991-2020/],
  ['landfire', 'LF2024_FBFM40_CONUS', /LF2024/],
  ['lbnl_queues', 'thru2025', /thru2025/],
  ['mrlc_nlcd', '1985–2025', /time=2025-01-01/],
  ['netl_energy_communities', '2024_Coal_Closure', /2024_Coal_Closure/],
  ['nhc_surge', 'v4.zip` (June 2026', /Inundation_v4/],
  ['noaa_cmra', '2019 counties', /2019/],
  ['noaa_ibtracs', 'v04r01', /v04r01/],
  ['nrel_nsrdb', 'mean of 1998–2016', /1998.{1,4}2016/],
  ['openei_rates_by_zip', 'iou_zipcodes_2024.csv', /zipcodes_2024/],
  ['openfema', 'NfipClaimsV3', /NfipClaimsV3/],
  ['silvis_wui', 'version 4', /change_v4/],
  ['usda_phzm', 'phzm/data/2023', /phzm_us_zones_shp_2023/],
  ['usgs_padus', 'edition about 4.1', /4\.1/],
  ['usgs_nhdplus_hr', 'retired 2023-10', /retired|2023-10|October 2023/],
];

describe('the editions of November 2026', { tags: ['design'] }, () => {
  const said = (id: string) =>
    rows
      .get(id)!
      .map(({ text }) => text)
      .join('\n');

  for (const [id, text, newest, oldest = newest] of YEARS)
    it(`${id} finds the years of "${text}"`, () => {
      expect(said(id)).toContain(text);
      for (const { url, vintage } of catalog.datasets.get(id)!.acquire.files ?? []) {
        if (!vintage || !('newest' in vintage)) continue;
        const lag = url.includes('{year-1}') && !url.includes('{year}') ? 1 : 0;
        const reach = Array.from({ length: vintage.back }, (_, i) => 2026 - i - lag);
        // The year before the newest has a file of its own beside it.
        expect(reach).toContain(newest - lag);
        expect(reach.at(-1)).toBeLessThanOrEqual(oldest - lag);
      }
    });

  it.each(EDITIONS)('%s has that of "%s"', (id, text, has) => {
    expect(said(id)).toContain(text);
    expect(JSON.stringify(catalog.datasets.get(id))).toMatch(has);
  });
});

describe('columns that the rows name', { tags: ['design'] }, () => {
  it.each(lookedUp.map(([id]) => id))('%s has them, or it is said why not', id => {
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
