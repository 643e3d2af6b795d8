import type { AskRecord } from '../../ask/backend.ts';
import { type JobKind, jobOf } from '../../jobs/job-kind.ts';
import { statesBefore } from '../../state/field-requests/states.ts';
import { stuck } from '../../state/field-requests/upkeep.ts';
import { requestLive } from '../callbacks/news.ts';
import { recordsAt, requesterCtx } from '../screening/example-records.ts';
import { exampleValue, resumeOf } from '../screening/example-values.ts';
import { buildOf } from './build.ts';

const ORDER = ['low', 'medium', 'high'];

/** Why a record does not prove that its field is live; null when it does. */
function lacks(record: AskRecord | undefined): string | null {
  if (!record) return 'no record';
  if (record.status !== 'ok') return `${record.status}: ${record.notes ?? record.error ?? 'without a reason'}`;
  if (record.value === null) return 'null';
  if (record.source === '' || record.source_url === null) return 'a value without a citation';
  return null;
}

/**
 * Sets a request to `live` when the production fetch returns a real, cited, non-null value at each example location.
 * Until then it looks again, with growing delays.
 */
export const publishingJob: JobKind<{ readonly request_id: string }> = {
  name: 'field-request-publishing',
  summary: 'Waits until a new field answers at the example locations of its request, then says that it is live.',
  atOnce: 2,
  attempts: 60,
  retryMs: 2_000,
  mostMs: 300_000,
  async run(services, { data: { request_id: id }, signal }) {
    const { state, clock, catalog } = services;
    const row = await state.fieldRequests.find(id);
    if (row?.status !== 'publishing') return undefined;
    const build = buildOf(row);
    const { fields = [], caveat = null, outcome } = build;
    const low = outcome === 'SHIP_LOW_CONFIDENCE';
    const unknown = fields.filter(name => !catalog.fields.has(name));
    if (fields.length === 0 || unknown.length > 0)
      throw new Error(`this server's catalog has no field ${unknown.join(', ')}: start it from the build that has it`);
    const records = await recordsAt(await requesterCtx(services, row, signal), fields, row.locations);
    for (const [i, at] of records.entries())
      for (const name of fields) {
        const why = lacks(at[name]);
        if (why !== null) throw new Error(`${name} at example_locations[${row.locations[i]!.index}] is ${why}`);
      }
    const confidenceOf = (name: string) =>
      low ? 'low' : records.map(at => at[name]!.confidence).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))[0]!;
    let next = 0;
    const disposition = row.disposition.map(entry => {
      if (entry.disposition !== 'accepted_new') return entry;
      const name = fields[Math.min(next++, fields.length - 1)]!;
      return {
        ...entry,
        field_id: name,
        resume: resumeOf(name, row.locations),
        values: records.map((at, i) => exampleValue(row.locations[i]!.index, at[name]!)),
        confidence: confidenceOf(name),
        caveat,
      };
    });
    const [name] = fields as [string];
    const { value, unit, source, source_url, dataset_vintage, fetched_at } = records[0]![name]!;
    const citation = { source, source_url, dataset_vintage, fetched_at };
    return state.fieldRequests.moved({
      id,
      from: statesBefore('live'),
      to: 'live',
      by: 'plat',
      reason: `production answers at every example location`,
      now: clock.now(),
      disposition,
      build: { ...build, shipped: { field_id: name, value, unit, citation, confidence: confidenceOf(name) } },
      news: requestLive(low),
    });
  },
  ended: ({ data }, { error }, clock) =>
    stuck(data.request_id, 'publishing', `production does not answer yet: ${error}`, clock.now()),
};

/** Makes the job that sets a request to `live`. */
export const publishingOf = (id: string, account: string) => jobOf(publishingJob, id, { request_id: id }, account);
