import { buildCatalog, type Catalog } from '../../datasets/catalog.ts';
import { defineDataset } from '../../datasets/dataset.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import type { Answer } from '../../query/evaluate/answer.ts';
import { type SafeClient, SafeClientError } from '../../server/upstream/safe-client.ts';
import { partyHere, type Scheduler, WORLD } from './scheduler.ts';

/** Fields that can be asked for: each says where it was asked for, and by whom. */
export const FIELDS = ['note_a', 'note_b', 'note_c'] as const;

export const CATALOG: Catalog = buildCatalog([
  defineDataset({
    id: 'notes',
    title: 'Notes',
    publisher: 'Survey',
    url: 'https://example.org/notes',
    format: 'geotiff',
    licence: 'public domain',
    cadence: 'never',
    vintageRule: 'fixed',
    layers: { main: { kind: 'raster', bands: 1, sampling: 'nearest', partition: 'national' } },
    fields: Object.fromEntries(
      FIELDS.map(name => [
        name,
        {
          layer: 'terrain',
          type: 'string' as const,
          title: name,
          description: `The field ${name}.`,
          expression: 'raster_sample(notes, 1)',
          confidence: 'const(high)',
          ttlSeconds: 3600,
          terms: [],
          hint: 'It says where it was asked for, and by whom.',
        },
      ]),
    ),
  }),
]);

/** The acreage by which an export says which it is, and behind the comma how many parcels pass. */
const acreageOf = (filters: unknown): string => /"operands":\[([\d.]+)/.exec(JSON.stringify(filters))![1]!;
const rowsOf = (filters: unknown): number => Number(acreageOf(filters).at(-1));

/** What a field says at a place to an account. */
export const noteOf = (account: string, lat: number): string => `${account} at ${lat.toFixed(4)}`;

/** An engine that takes its time; now and then it takes so long that others think that its server has died. */
export function simulatedEngine(by: Scheduler, isCalm: () => boolean): Engine {
  const engine: Partial<Engine> = {
    async fetch(names, { lat }, { account, signal }) {
      const slow = !isCalm() && by.draw(20, 11) === 0;
      await by.wait(partyHere(), slow ? 20_000 + by.draw(40_000, 12) : 1 + by.draw(60, 13));
      signal?.throwIfAborted();
      const note: Answer = {
        status: 'ok',
        value: noteOf(account ?? 'nobody', lat),
        notes: null,
        confidence: 'high',
        source: 'notes',
        sourceUrl: null,
        vintage: '2025',
        fetchedAt: '2026-01-01T00:00:00.000Z',
      };
      return Object.fromEntries(names.map(name => [name, note]));
    },
    installed: () => [],
    parcelColumns: () => new Set(['acreage']),
    availability: () => ({ lack: () => null, lackOf: () => null, sourcesOf: () => [] }) as never,
    async count({ filters }) {
      await by.wait(partyHere(), 1 + by.draw(60, 13));
      return { count: rowsOf(filters), notices: [], unread: false, empty: [] } as never;
    },
    async setPart({ filters, after }, { account }) {
      await by.wait(partyHere(), 1 + by.draw(60, 13));
      const row = (after?.row ?? 0) + 1;
      const id = `${account} ${acreageOf(filters)} ${row}`;
      const next = row < rowsOf(filters) ? { county: '23019', row } : null;
      const places = [{ id, county: '23019', row, lng: -90, lat: 30 }];
      return { count: 1, table: Buffer.from(JSON.stringify([id])), places, next, unread: false, late: false };
    },
    async pointTable({ names, points }) {
      await by.wait(partyHere(), 1 + by.draw(60, 13));
      const fields = names.length * points.length;
      return { columns: '{}', counts: { ok: fields, absent: 0, failed: 0 }, billed: { fields, parcels: 0 } };
    },
    status: () => ({
      release: '20260101-00000001',
      datasets: {},
      workers: { size: 1, ready: 1 },
      waiting: 0,
      warm: { loaded: [], on_demand: [] },
      damage: [],
    }),
    versionOf: () => '1',
    listsMark: () => '',
    keptReleases: () => ['20260101-00000001'],
    releaseBy: () => '20260101-00000001',
    withheldSince: () => 0,
  };
  return engine as Engine;
}

/** A call that a receiver of callbacks got. */
export interface Call {
  readonly url: string;
  readonly requestId: string;
  /** Whether it was answered that all is well. */
  readonly taken: boolean;
}

/** Those who are called back. Trouble is one of them: their answers get lost, or they say that they cannot. */
export class Receivers {
  readonly calls: Call[] = [];
  readonly #by: Scheduler;
  inTrouble = false;

  constructor(by: Scheduler) {
    this.#by = by;
  }

  /** How servers call them. */
  get client(): SafeClient {
    const by = this.#by;
    return {
      check: async () => {},
      send: async (url, { body, admit }) => {
        const party = partyHere();
        const held = await admit?.(['203.0.113.7']);
        if (held) throw new SafeClientError('held', held);
        await by.wait(party, 1 + by.draw(200, 21));
        const fate = this.inTrouble ? by.draw(4, 22) : 3;
        if (fate === 0) throw new SafeClientError('dropped', 'it closed the connection');
        const { request_id: requestId } = JSON.parse(body!) as { request_id: string };
        const taken = fate !== 1;
        this.calls.push({ url, requestId, taken });
        await by.wait(party, 1 + by.draw(200, 23));
        if (fate === 2) throw new SafeClientError('timed_out', 'it did not answer');
        return { status: taken ? 204 : 503, headers: {}, body: Buffer.alloc(0) };
      },
    };
  }
}

/** The world waits for nobody. */
export const outside = (by: Scheduler, ms: number): Promise<void> => by.wait(WORLD, ms);
