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
import { storedParcels } from '../agreement/parcels.ts';
import { contains } from '../oracle/geometry.ts';
import { SILENT } from '../pipelines/silent.ts';
import { MISSING, present, SOURCES } from './bangor.ts';
import { readFeatures } from './published.ts';

if (!present) console.warn(MISSING);

const STATE = { field: 'state', op: 'eq', value: 'ME' };
/** On US-2, which the parcel file holds as a row. */
const ROAD = { lat: 44.8016, lng: -68.7712 };
/** Lot 041-069, beside it. */
const LOT = { lat: 44.8021265, lng: -68.7710992 };

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

  it('learns how many lots over 5 acres lie outside the flood hazard area, and which', async () => {
    const somebody = newcomer();
    const filters = [
      STATE,
      { field: 'acres', op: 'gt', value: 5 },
      { field: 'flood_hazard_area', op: 'eq', value: false },
    ];
    const lots = await somebody.search(filters, /^acreage$|floodplain/);
    expect(somebody.asked).toBe(1 + Math.ceil(lots.length / 100));
    const found = new Set(lots.map(({ analysis_point: { lat, lng } }) => `${lat},${lng}`));
    const zones = readFeatures(join(SOURCES, 'bangor-me/flood_zones.geojson.gz'))
      .filter(({ properties }) => properties.SFHA === 'IN')
      .map(({ geometry }) => geometry);
    const large = (await storedParcels(home)).filter(({ properties }) => Number(properties.acreage) > 5);
    let outside = 0;
    for (const { properties } of large) {
      const [lat, lng] = [Number(properties.centroid_lat), Number(properties.centroid_lon)];
      const inside = zones.some(zone => contains(zone, lng, lat));
      expect(found.has(`${lat},${lng}`), `${properties.apn}`).toBe(!inside);
      if (!inside) outside++;
    }
    expect(outside).toBeGreaterThan(500);
    const another = newcomer();
    const counted = await another.count(filters, /^acreage$|floodplain/);
    expect(counted!.json).toMatchObject({ count: outside, at_least: false, unknown: 0, warnings: [] });
    expect(another.asked).toBeLessThanOrEqual(MOST_ASKED);
  });

  it('learns that nobody publishes who owns a lot', async () => {
    const somebody = newcomer();
    const { json } = await somebody.fetch(LOT, 'owner');
    expect(json.fields.parcel_owner).toMatchObject({
      status: 'absent',
      value: null,
      notes: expect.stringMatching(/owner/),
    });
    // A road has no owner, and says that it is a road.
    expect((await somebody.fetch(ROAD, 'parcel_owner')).json.fields.parcel_owner).toMatchObject({
      status: 'absent',
      notes: expect.stringMatching(/a road of the parcel file \(US-2\)/),
    });
    expect(somebody.asked).toBeLessThanOrEqual(MOST_ASKED);
  });

  it('learns that a question has one place, and who owns most is asked of many', async () => {
    const somebody = newcomer();
    const { json } = await somebody.ask('/v1/ask', { ...LOT, question: 'Who is the largest landowner?' });
    expect(json.answer).toMatch(
      /^This asks about many places, and an answer here is about one\. .*found, counted, ranked and summed up/,
    );
    const owners = await somebody.ask('/v1/ask', { ...LOT, question: 'Who owns this lot?' });
    expect(owners.json.answer).toContain(
      "This copy of the published data lacks the parcel's owner; the operator of this service can add that.",
    );
  });

  it('learns that the release has no roads for drive times', async () => {
    const somebody = newcomer();
    const { status, json } = await somebody.ask('/v1/proximity', {
      operation: 'labor_shed',
      origin: ROAD,
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
