import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { verify } from '../../pipelines/release/verify.ts';
import type { Reject } from '../../pipelines/steps/rejected/reject.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { startServer } from '../../server/service.ts';
import { type Bangor, ingestBangor, MISSING, present, SOURCES } from './bangor.ts';

if (!present) console.warn(MISSING);

/** Features or rows that SOURCES.md states for each file. */
function published(): Map<string, number> {
  const rows = readFileSync(join(SOURCES, 'SOURCES.md'), 'utf8').matchAll(/^\| (\S+\/\S+) \|(.*)\|$/gm);
  return new Map([...rows].map(([, file, rest]) => [file!, Number(rest!.split('|').at(-3)!.trim())]));
}

const hasGdal = (() => {
  try {
    execFileSync('ogrinfo', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('the real Bangor', { tags: ['published-files'] }, () => {
  let bangor: Bangor;
  let rejects: Reject[];
  beforeAll(async () => {
    bangor = await ingestBangor();
    const files = Object.values(bangor.manifest.datasets).flatMap(layers =>
      Object.values(layers).flatMap(l => l.partitions.flatMap(p => p.files)),
    );
    rejects = files
      .filter(f => f.role === 'rejects')
      .flatMap(f => readFileSync(join(bangor.releases, f.path), 'utf8').trim().split('\n'))
      .map(line => JSON.parse(line) as Reject);
  });
  afterAll(() => bangor?.remove());

  it('reads every row that SOURCES.md states, and every one is written, skipped or rejected', () => {
    const stated = published();
    const { counts } = bangor.report;
    expect(counts.length).toBeGreaterThan(20);
    // These have header or preamble lines that SOURCES.md counts as rows.
    const PREAMBLE: Record<string, number> = {
      'national/epa_superfund_npl.csv': 1,
      'national/county_unemployment_income_2007_2018.csv.gz': 4,
    };
    for (const c of counts) {
      expect([c.file, c.read]).toEqual([c.file, stated.get(c.file)! - (PREAMBLE[c.file] ?? 0)]);
      expect([c.file, c.read]).toEqual([c.file, c.written + c.skipped + c.rejected]);
    }
  });

  it('keeps every local feature but those the rejects files name', () => {
    const { counts } = bangor.report;
    expect(counts.reduce((sum, c) => sum + c.rejected, 0)).toBe(rejects.filter(r => r.action === 'rejected').length);
    expect(counts.reduce((sum, c) => sum + c.repaired, 0)).toBe(rejects.filter(r => r.action === 'repaired').length);
    for (const r of rejects) expect(r.reason.length).toBeGreaterThan(5);
    const count = (dataset: string, layer: string) => counts.find(c => c.dataset === dataset && c.layer === layer)!;
    // SOURCES.md: 4 invalid parcels, 1 invalid zone, 3 wetlands, 2 streams; all rings that touch themselves.
    expect(count('parcel_store', 'main')).toMatchObject({ read: 10_643, written: 10_643, repaired: 4 });
    expect(count('local_zoning', 'main')).toMatchObject({ read: 1_297, written: 1_297, repaired: 1 });
    expect(count('usfws_nwi', 'main')).toMatchObject({ read: 452, written: 452, repaired: 3 });
    expect(count('usgs_nhdplus_hr', 'NHDFlowline')).toMatchObject({ read: 108, written: 108, repaired: 2 });
    expect(count('fema_usa_structures', 'main')).toMatchObject({ read: 17_690, written: 17_690, repaired: 0 });
    expect(count('fema_nfhl', 'S_FLD_HAZ_AR')).toMatchObject({ read: 81, written: 81, rejected: 0 });
    expect(count('census_tiger', 'tract')).toMatchObject({ read: 714, dissolvedTo: 13 });
  });

  it('is sound, file by file', async () => {
    expect((await verify(bangor.releases, bangor.manifest)).damage).toEqual([]);
  });

  it('is read by GDAL: as many valid features as the manifest says', { tags: ['GDAL'] }, () => {
    const { partitions } = bangor.manifest.datasets.parcel_store!.main!;
    const file = partitions[0]!.files.find(f => f.role === 'features')!;
    const path = join(bangor.releases, file.path);
    const sql = (text: string) =>
      execFileSync('ogrinfo', ['-q', '-dialect', 'SQLite', '-sql', text, path], { encoding: 'utf8' });
    const name = /^1: (.*?)(?: \(|$)/m.exec(execFileSync('ogrinfo', ['-q', path], { encoding: 'utf8' }))![1];
    const valid = sql(
      `SELECT COUNT(*) AS n, SUM(ST_IsValid(geometry)) AS ok, COUNT(DISTINCT parcel_key) AS k, SUM(acreage) AS a FROM "${name}"`,
    );
    expect(valid).toMatch(/n \(Integer\) = 10643/);
    expect(valid).toMatch(/ok \(Integer\) = 10643/);
    expect(valid).toMatch(/k \(Integer\) = 10643/);
  });

  it('answers the addresses of its parcels with their own parcels, and no others', async () => {
    const environment = { PLAT_HOME: bangor.home, PORT: '0', PLAT_WORKERS: '1', PLAT_RATE_LIMIT: 'off' };
    const service = await startServer(readSettings({ ...environment, PLAT_LOG: 'silent' }), catalog);
    try {
      const token = await service.tokens.issue(await service.state.openAccount('someone@example.org', 'market'));
      const post = async (path: string, body: object) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const response = await fetch(service.address + path, { method: 'POST', headers, body: JSON.stringify(body) });
        expect(response.status).toBe(200);
        // biome-ignore lint/suspicious/noExplicitAny: what a body is, is what these tests find out
        return (await response.json()) as any;
      };
      const filters = [{ field: 'state', op: 'eq', value: 'ME' }];
      const { matches } = await post('/v1/search', { filters, limit: 100 });
      const addressed = matches.filter((match: { address: string | null }) => /^\d/.test(match.address ?? ''));
      let own = 0;
      for (const { address } of addressed) {
        const found = await post('/v1/lookup', { input: `${address}, bangor maine` });
        if (found.disposition !== 'resolved') continue;
        expect(found.resolved_address).toMatch(/, BANGOR, ME/);
        // The blocks of this release are those of 2010.
        expect(found).toMatchObject({ county_fips: '23019', state: 'ME', tract_geoid: null, block_geoid: null });
        if (!found.parcel) continue;
        expect(found.parcel.address).toBe(address);
        own++;
      }
      expect(addressed.length).toBeGreaterThan(80);
      expect(own).toBeGreaterThan(addressed.length / 3);
      expect(await post('/v1/lookup', { input: 'Bangor, ME' })).toMatchObject({ reason: 'address_too_coarse' });
    } finally {
      await service.drain(1_000);
    }
  });
});
if (!hasGdal) console.warn('ogrinfo is not installed: GDAL does not check the release');
