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
