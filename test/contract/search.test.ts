import { cpSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { openRelease } from '../../query/release/open-release.ts';
import { type Service, startServer } from '../../server/service.ts';
import { MOST_ASKED, Newcomer } from '../agreement/newcomer.ts';
import { type OracleFilter, searchAll } from '../oracle/search.ts';
import { folder } from '../pipelines/world/truth.ts';
import { type SyntheticHome, syntheticHome } from '../synthetic-home.ts';

const LONG = process.env.PLAT_TEST === 'long';

interface Match {
  readonly apn: string | null;
  readonly analysis_point: { readonly lat: number; readonly lng: number; readonly method: string };
  readonly fields: Readonly<Record<string, unknown>>;
  readonly field_status: Readonly<Record<string, string>>;
  readonly enrichment?: {
    readonly fetched_at: string;
    readonly analysis_point: { readonly lat: number; readonly lng: number };
    readonly fields: Readonly<Record<string, { readonly value: unknown; readonly status: string }>>;
    readonly partial_failures: readonly { readonly field: string }[];
  };
}
interface Page {
  readonly matches: readonly Match[];
  readonly status: string;
  readonly completion_reason: string;
  readonly next_cursor: string | null;
}

/** Of how many filters one is tried. */
const EVERY = LONG ? 1 : 4;
/** Copies and state of this file's own. */
const homes: string[] = [];
let home: string;
const running: Service[] = [];
let service: Service;
let token: string;
/** Every parcel of the area with every output, in stored order. */
let everything: readonly Match[];

/** A home of one's own with the shared release. */
function copyOf(shared: SyntheticHome): string {
  const to = folder();
  homes.push(to);
  cpSync(shared.home, to, { recursive: true });
  return to;
}

async function open(at: string): Promise<Service> {
  const started = await startServer(
    readSettings({ PLAT_HOME: at, PORT: '0', PLAT_WORKERS: '1', PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error' }),
    catalog,
  );
  running.push(started);
  return started;
}

async function call(path: string, body: unknown, to = service, with_ = token) {
  const response = await fetch(to.address + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${with_}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: what a body is, is what these tests find out
  return { status: response.status, json: (await response.json()) as any };
}

async function page(body: object, to = service, with_ = token): Promise<Page> {
  const { status, json } = await call('/v1/search', body, to, with_);
  expect([status, JSON.stringify(json).slice(0, 600)]).toEqual([200, expect.anything()]);
  return json;
}

const STATES = { field: 'state', op: 'in', value: ['ME', 'NH'] };
const NAMES = [...enrichCatalogOf(catalog).fields.values()].filter(field => field.kind !== 'only').map(f => f.name);
const FILTERS = [...NAMES, 'state', 'geometry'];
const OUTPUTS = [...FILTERS, 'parcel_boundary_geojson', 'parcel_geometry_wkt'];

async function walk(body: object, to = service, with_ = token): Promise<Match[]> {
  const found: Match[] = [];
  for (let cursor: string | null = null; ; ) {
    const next = await page({ ...body, limit: 100, ...(cursor ? { cursor } : {}) }, to, with_);
    found.push(...next.matches);
    if (next.next_cursor === null) {
      expect([next.status, next.completion_reason]).toEqual(['complete', 'exhausted']);
      return found;
    }
    cursor = next.next_cursor;
  }
}

async function tokenOf(of: Service): Promise<string> {
  const account = await of.state.openAccount('someone@example.org', 'scale');
  return of.tokens.issue(account);
}

beforeAll(async () => {
  home = await syntheticHome().then(copyOf);
  service = await open(home);
  token = await tokenOf(service);
  everything = await walk({ filters: [STATES], fields: OUTPUTS });
});
afterAll(async () => {
  for (const one of running) await one.drain(1000);
  for (const path of homes) rmSync(path, { recursive: true, force: true });
});

describe('every name of the search catalog', () => {
  it('is answered with its status as an output', () => {
    expect(everything).toHaveLength(240);
    for (const { fields, field_status } of everything) {
      expect(Object.keys(fields).sort()).toEqual([...OUTPUTS].sort());
      // One expectation a name takes longer than all searches.
      const wrong = OUTPUTS.filter(name => field_status[name] !== (fields[name] === null ? 'absent' : 'ok'));
      expect(wrong).toEqual([]);
    }
    // Enough is known of the area to make the comparisons below worth something.
    expect(NAMES.filter(name => everything.some(match => match.fields[name] !== null)).length).toBeGreaterThan(400);
  });

  it('filters what plain loops over all outputs find, in their order', async () => {
    const typeOf = (name: string) =>
      catalog.fields.get(name)?.type ?? PARCEL_ATTRIBUTES[name as keyof typeof PARCEL_ATTRIBUTES].type;
    let tried = 0;
    for (const [i, name] of NAMES.entries()) {
      if (['state2', 'county', 'geoid', 'city'].includes(name) || i % EVERY > 0) continue;
      const values = [...new Set(everything.map(match => match.fields[name]))].filter(value => value !== null);
      const value = values[i % Math.max(1, values.length)] ?? (typeOf(name) === 'boolean' ? true : null);
      if (value === null) continue;
      const type = typeOf(name);
      const ordered = type !== 'string' && type !== 'boolean';
      const ops = ordered ? ['eq', 'ne', 'lte', 'gt', 'in', 'between'] : ['eq', 'ne', 'in'];
      const op = ops[i % ops.length]!;
      const operand = op === 'in' ? values.slice(0, 2) : op === 'between' ? [value, value] : value;
      if (op === 'in' && values.length === 0) continue;
      const filter = { field: name, op, value: operand };
      const found = await walk({ filters: [STATES, filter] });
      const expected = everything.filter(match => holds(match.fields[name], filter, type));
      expect(
        found.map(match => [match.apn, match.analysis_point]),
        JSON.stringify(filter),
      ).toEqual(expected.map(match => [match.apn, match.analysis_point]));
      tried++;
    }
    expect(tried).toBeGreaterThan(400 / EVERY);
  });
});

/** Whether a stored value passes, by the oracle's own rules. */
function holds(value: unknown, filter: OracleFilter, type: string): boolean {
  const instant = (one: unknown) => (type === 'date' || type === 'timestamp' ? Date.parse(String(one)) : one);
  if (value === null) return false;
  const values = { value: instant(value) as number };
  const operand = Array.isArray(filter.value) ? filter.value.map(instant) : instant(filter.value);
  const parcel = { state: 'ME', fips: '23999', values, geometry: null as never };
  return searchAll([parcel], [{ field: 'value', op: filter.op, value: operand }]).length === 1;
}

describe('enrichment of a page', () => {
  it('is what the outputs and POST /v1/enrich say of the same parcel, at no charge', async () => {
    const before = (await usage()).credits_used;
    const { matches, status } = await page({ filters: [STATES], enrich: true, limit: LONG ? 20 : 8 });
    expect(status).toBe('limited');
    const names = [...enrichCatalogOf(catalog).fields.keys()];
    let compared = 0;
    for (const [i, match] of matches.entries()) {
      const { enrichment, analysis_point } = match;
      expect(Object.keys(enrichment!.fields)).toEqual(names);
      expect(enrichment!.partial_failures).toEqual([]);
      expect(enrichment!.analysis_point).toMatchObject({ lat: analysis_point.lat, lng: analysis_point.lng });
      for (const name of NAMES)
        expect([name, enrichment!.fields[name]!.value]).toEqual([name, everything[i]!.fields[name]]);
      const alone = (await call('/v1/enrich', { lat: analysis_point.lat, lng: analysis_point.lng })).json;
      // Stacked parcels share their point: enrichment by it cannot tell them apart.
      if (alone.parcel_match.status !== 'matched') continue;
      compared++;
      for (const name of names)
        expect({ name, ...enrichment!.fields[name] }).toMatchObject({
          name,
          value: alone.fields[name].value,
          status: alone.fields[name].status,
          notes: alone.fields[name].notes,
        });
    }
    expect(compared).toBeGreaterThan(LONG ? 10 : 4);
    expect((await usage()).credits_used).toBe(before);
  });

  it('is left out altogether unless it is asked for, and belongs to its cursors', async () => {
    const asked = { filters: [STATES], limit: 1 };
    const plain = await page(asked);
    expect(plain.matches[0]).not.toHaveProperty('enrichment');
    const enriched = await page({ ...asked, enrich: true });
    for (const body of [
      { ...asked, enrich: true, cursor: plain.next_cursor },
      { ...asked, cursor: enriched.next_cursor },
      { ...asked, enrich: false, cursor: enriched.next_cursor },
    ]) {
      const { status, json } = await call('/v1/search', body);
      expect([status, json.detail.error, json.detail.issues[0].path]).toEqual([
        422,
        'search_invalid_request',
        'cursor',
      ]);
    }
    const next = await page({ ...asked, enrich: true, cursor: enriched.next_cursor });
    expect(next.matches[0]!.enrichment!.fields.elevation!.value).toBe(everything[1]!.fields.elevation);
  });

  const usage = async () =>
    (await (
      await fetch(`${service.address}/v1/users/me/usage`, { headers: { authorization: `Bearer ${token}` } })
    ).json()) as { credits_used: number };
});

describe('somebody who knows words and no names', () => {
  const newcomer = () => new Newcomer((path, body) => call(path, body));
  const small = () => everything.find(({ fields }) => (fields.acreage as number) < 1)!;

  it('learns how many lots over 5 acres lie outside the flood hazard area', async () => {
    const somebody = newcomer();
    const filters = [
      { field: 'state', op: 'eq', value: 'ME' },
      { field: 'acres', op: 'gt', value: 5 },
      { field: 'flood_hazard_area', op: 'eq', value: false },
    ];
    const found = await somebody.search(filters, /^acreage$|floodplain/);
    const outside = everything.filter(
      ({ fields }) =>
        fields.state === 'ME' && (fields.acreage as number) > 5 && fields.within_floodplain_polygon === false,
    );
    expect(found.map(({ apn }) => apn)).toEqual(outside.map(({ apn }) => apn));
    expect(found.length).toBeGreaterThan(30);
    expect(somebody.asked).toBeLessThanOrEqual(MOST_ASKED);
    const another = newcomer();
    const counted = await another.count(filters, /^acreage$|floodplain/);
    expect(counted!.json).toMatchObject({ count: outside.length, at_least: false, unknown: 0 });
    expect(another.asked).toBeLessThanOrEqual(MOST_ASKED);
  });

  it('learns who owns a lot', async () => {
    const somebody = newcomer();
    const { analysis_point: at, fields } = small();
    const { json } = await somebody.fetch(at, 'owner');
    expect(json.fields).toMatchObject({ parcel_owner: { status: 'ok', value: fields.owner } });
    expect(somebody.asked).toBeLessThanOrEqual(MOST_ASKED);
  });

  it('learns who the largest landowner is, by the way that the description names', async () => {
    const response = await fetch(`${service.address}/v1/openapi.json`);
    // biome-ignore lint/suspicious/noExplicitAny: the document has no type here
    const { paths } = (await response.json()) as any;
    expect(paths['/v1/search'].post.description).toContain('names the largest landowners');
    const acres = new Map<string, number>();
    for (const { fields } of everything)
      if (fields.owner !== null)
        acres.set(fields.owner as string, (acres.get(fields.owner as string) ?? 0) + (fields.acreage as number));
    const { status, json } = await call('/v1/aggregate', {
      filters: [STATES],
      group_by: ['owner'],
      measures: [{ op: 'sum', field: 'acreage' }],
      min_count: 1,
      stacked: true,
    });
    expect(status).toBe(200);
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const sums = json.groups.map((group: any) => [group.key.owner ?? group.key[0], group.measures[0].value]);
    const largest = sums
      .filter(([owner]: [string | null]) => owner !== null)
      .sort((a: number[], b: number[]) => b[1]! - a[1]!)[0];
    const [name, most] = [...acres].sort((a, b) => b[1] - a[1])[0]!;
    expect(largest[0]).toBe(name);
    expect(largest[1]).toBeCloseTo(most, 3);
  });

  it('learns how many people live within fifteen minutes', async () => {
    const somebody = newcomer();
    const { lat, lng } = small().analysis_point;
    const body = { operation: 'labor_shed', origin: { lat, lng }, max_minutes: 15 };
    const { json } = await somebody.ask('/v1/proximity', body);
    const people = new Map(everything.map(({ fields }) => [fields.tract_geoid, fields.tract_population as number]));
    const inside = json.tracts.map(({ geoid }: { geoid: string }) => people.get(geoid) ?? Number.NaN) as number[];
    expect(inside.length).toBeGreaterThan(0);
    expect(json.totals.population).toMatchObject({ value: inside.reduce((sum, n) => sum + n, 0), unit: 'people' });
    expect(somebody.asked).toBeLessThanOrEqual(MOST_ASKED);
  });

  it('learns which three lots are the nearest to a substation', async () => {
    const somebody = newcomer();
    const near = { field: 'substation_distance', op: 'lt', value: 1_000 };
    const found = await somebody.search([STATES, near], /substation_distance_m$/);
    const nearest = (of: readonly Pick<Match, 'apn' | 'fields'>[]) =>
      of
        .map(({ apn, fields }) => [(fields.nearest_substation_distance_m as number | null) ?? Infinity, apn] as const)
        .sort(([a], [b]) => a - b)
        .slice(0, 3);
    expect(nearest(found)).toEqual(nearest(everything));
    expect(somebody.asked).toBeLessThanOrEqual(MOST_ASKED);
  });
});

it('a column that is damaged makes the page partial: no match is lost in silence, and none is made up', async () => {
  const damaged = copyOf(await syntheticHome());
  const { manifest } = openRelease(damaged);
  for (const overlays of Object.values(manifest.overlays!))
    for (const file of overlays.usgs_3dep!.files) truncateSync(join(damaged, 'releases', file.path), 100);
  const broken = await open(damaged);
  const theirs = await tokenOf(broken);
  const high = { field: 'elevation', op: 'gt', value: -1000 };
  const filtered = await page({ filters: [STATES, high] }, broken, theirs);
  expect([filtered.status, filtered.matches]).toEqual(['partial', []]);
  const extra = await page({ filters: [STATES], fields: ['elevation', 'apn'], limit: 3 }, broken, theirs);
  expect([extra.status, extra.completion_reason]).toEqual(['partial', 'field_data_unavailable']);
  expect(extra.matches.map(match => [match.field_status.elevation, match.fields.elevation])).toEqual(
    Array(3).fill(['failed', null]),
  );
  expect(extra.matches.map(match => match.fields.apn)).toEqual(everything.slice(0, 3).map(match => match.apn));
  expect(extra.next_cursor).not.toBeNull();
});
