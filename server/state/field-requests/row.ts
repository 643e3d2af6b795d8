import type { Selectable } from 'kysely';
import { unpacked } from '../packed-text.ts';
import type { Tables } from '../tables.ts';
import type { Disposition } from './disposition.ts';
import type { Status } from './states.ts';

/** The position of an example location. */
export interface ExampleLocation {
  readonly index: number;
  readonly resolved_location: {
    readonly lat: number;
    readonly lng: number;
    readonly source: 'coordinate' | 'address';
  };
  /** The matched address, until addresses are removed. */
  readonly resolved_address?: string;
  /** How an address was resolved, without the address. */
  readonly geocode?: { readonly accuracy: number | null; readonly accuracy_type: string; readonly provider: string };
}

/** Where messages about a request are sent. */
export interface Callback {
  readonly webhook_url?: string;
  readonly email?: string;
}

/** A field request as it is stored. Instants are epoch milliseconds. */
export interface FieldRequestRow {
  readonly id: string;
  readonly accountId: string;
  readonly status: Status;
  readonly waitingOn: 'requester' | 'operator' | null;
  readonly locations: readonly ExampleLocation[];
  readonly disposition: readonly Disposition[];
  readonly callback: Callback | null;
  readonly contextBlob: string | null;
  /** The findings and results of a build; null before. */
  readonly build: Readonly<Record<string, unknown>> | null;
  /** Place in the queue, from 1; 0 while somebody works on it; null without a ticket. */
  readonly queuePosition: number | null;
  readonly queuedAt: number | null;
  readonly estimatedReadyAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly settledAt: number | null;
  readonly scrubbedAt: number | null;
}

type Columns = Omit<Selectable<Tables['field_requests']>, 'body' | 'body_hash' | 'key_hash' | 'queue_turn'> & {
  readonly position: number | null;
};

/** Every column except the body, which is large. */
export const COLUMNS = [
  'id',
  'account_id',
  'status',
  'waiting_on',
  'locations',
  'disposition',
  'callback',
  'context_blob',
  'build',
  'queued_at',
  'estimated_ready_at',
  'created_at',
  'updated_at',
  'settled_at',
  'scrubbed_at',
] as const;

const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

/** Converts a database row to a FieldRequestRow. */
export const toRow = (row: Columns): FieldRequestRow => ({
  id: row.id,
  accountId: row.account_id,
  status: row.status,
  waitingOn: row.waiting_on,
  locations: parsed<ExampleLocation[]>(row.locations)!,
  disposition: parsed<Disposition[]>(row.disposition)!,
  callback: parsed<Callback>(row.callback),
  contextBlob: parsed<string>(row.context_blob),
  build: parsed<Record<string, unknown>>(row.build),
  queuePosition: row.position === null ? null : Number(row.position),
  queuedAt: row.queued_at,
  estimatedReadyAt: row.estimated_ready_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  settledAt: row.settled_at,
  scrubbedAt: row.scrubbed_at,
});

/** The request as it was filed. */
export const bodyOf = async <T>(bytes: Uint8Array): Promise<T> => JSON.parse(await unpacked(bytes)) as T;
