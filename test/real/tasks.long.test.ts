import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { builtInPlace } from '../../pipelines/place/place-schema.ts';
import { isParcelLayer } from '../../pipelines/release/parcel-layer.ts';
import { run } from '../../pipelines/run.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { type Service, startServer } from '../../server/service.ts';
import { MOST_ASKED, Newcomer } from '../agreement/newcomer.ts';
import { SILENT } from '../pipelines/silent.ts';
import { MISSING, present, SOURCES } from './bangor.ts';

if (!present) console.warn(MISSING);

const STATE = { field: 'state', op: 'eq', value: 'ME' };
const DOWNTOWN = { lat: 44.8016, lng: -68.7712 };

describe('somebody who knows words and no names, on the real Bangor', { tags: ['published-files'] }, () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-tasks-'));
  let service: Service;
  let token: string;
  const newcomer = () =>
    new Newcomer(async (path, body) => {
      const response = await fetch(service.address + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, json: await response.json() };
    });

  beforeAll(async () => {
    const place = builtInPlace('bangor-me');
    // The tasks need parcels and flood zones; the overlays of all layers take minutes.
    const layers = place.layers.filter(layer => isParcelLayer(layer) || layer.dataset === 'fema_nfhl');
    await run({
      home,
      sources: SOURCES,
      place: { ...place, layers },
      threads: 2,
      progress: SILENT,
      overlay: { memoryMb: 512 },
    });
    const settings = { PLAT_HOME: home, PORT: '0', PLAT_WORKERS: '1', PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'silent' };
    service = await startServer(readSettings(settings), catalog);
    token = await service.tokens.issue(await service.state.openAccount('someone@example.org', 'market'));
  });
  afterAll(async () => {
    await service?.drain(1_000);
    rmSync(home, { recursive: true, force: true });
  });

  it('learns that lots over 5 acres are not told apart by the flood hazard area', async () => {
    const somebody = newcomer();
    const filters = [
      STATE,
      { field: 'acres', op: 'gt', value: 5 },
      { field: 'flood_hazard_area', op: 'eq', value: false },
    ];
    // The release has no panels of the flood map, so that it has no column of the field.
    expect(await somebody.search(filters, /^acreage$|floodplain/)).toEqual([]);
    const hints = somebody.last!.json.detail.issues.map(({ hint }: { hint: string }) => hint);
    expect(hints[0]).toContain('`acreage`,');
    expect(hints[1]).toContain('`within_floodplain_polygon` (not in this release)');
    expect(somebody.asked).toBe(1);
  });

  it('learns that nobody publishes who owns a lot', async () => {
    const somebody = newcomer();
    const { json } = await somebody.fetch(DOWNTOWN, 'owner');
    expect(json.fields.parcel_owner).toMatchObject({
      status: 'absent',
      value: null,
      notes: expect.stringMatching(/owner/),
    });
    expect(somebody.asked).toBeLessThanOrEqual(MOST_ASKED);
  });

  it('learns that the release has no roads for drive times', async () => {
    const somebody = newcomer();
    const { status, json } = await somebody.ask('/v1/proximity', {
      operation: 'labor_shed',
      origin: DOWNTOWN,
      max_minutes: 15,
    });
    expect(status).toBe(503);
    expect(json.detail).toMatchObject({
      error: 'proximity_data_unavailable',
      message: expect.stringMatching(/no census blocks|no road graph/),
    });
  });

  it('learns that the release has no substations', async () => {
    const somebody = newcomer();
    const near = { field: 'substation_distance', op: 'lt', value: 1_000 };
    expect(await somebody.search([STATE, near], /substation_distance_m$/)).toEqual([]);
    const [{ hint }] = somebody.last!.json.detail.issues;
    expect(hint).toContain('`nearest_substation_distance_m` (not in this release)');
    expect(somebody.asked).toBe(1);
  });
});
