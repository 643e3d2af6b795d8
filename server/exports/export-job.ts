import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import type { JobKind, JobServices, RunningJob } from '../jobs/job-kind.ts';
import { FIELD_CREDITS, PLANS, type Plan } from '../plans.ts';
import { chooseRelease, ReleaseChoice } from '../release/choice.ts';
import { exportDone, exportFailed } from '../state/exports/endings.ts';
import { PARTS, PIECE_BYTES } from '../state/exports/pieces.ts';
import type { ExportFile, ExportWork as StoredWork } from '../state/exports/records.ts';
import type { RunError } from '../state/runs/records.ts';
import { Bill } from '../state/usage/bill.ts';
import { citationsOfColumns } from './citations.ts';
import { type ExportPlace, type NewPart, PartMaker } from './part-maker.ts';
import { exportThreads } from './threads.ts';
import type { ExportWork } from './work.ts';

/** Milliseconds that one part may take. */
const PART_LIMIT_MS = 10 * 60 * 1000;
/** Below PLAT_HOME: where files lie while they are written. */
const FOLDER = 'exports';

const asError = ({ code, message, retryable }: ServiceError): RunError => ({ error: code, message, retryable });

interface Exporting {
  readonly services: JobServices;
  readonly job: RunningJob<{ readonly export_id: string }>;
  readonly stored: StoredWork;
  readonly work: ExportWork;
  readonly ctx: Ctx;
}

const costOf = ({ fields, parcels, addresses }: NewPart['billed'], plan: Plan): number =>
  fields * FIELD_CREDITS + parcels * PLANS[plan].parcelRecordCredits + addresses;

/** Makes the parts that are not there yet. @returns what the export is in the end; null where it has ended. */
async function makeParts({ services, job, stored, work, ctx }: Exporting): Promise<StoredWork | null> {
  const { state, clock } = services;
  const { plan } = accountOf(ctx);
  let at = stored;
  while (!(at.place as ExportPlace | null)?.ended) {
    job.signal.throwIfAborted();
    const limited = { ...ctx, deadline: clock.now() + PART_LIMIT_MS };
    const part = await new PartMaker(limited, work, exportThreads(services.catalog)).next(
      at.parts,
      at.place as ExportPlace | null,
      at.counts,
    );
    const after = {
      ...at,
      parts: at.parts + 1,
      done: at.done + part.rows,
      place: part.place,
      counts: part.counts,
      cost: at.cost + costOf(part.billed, plan),
      warnings: [...new Set([...at.warnings, ...part.warnings])],
    };
    const { place, counts, cost, warnings } = after;
    const added = { number: at.parts, bytes: part.bytes, rows: part.rows, place, counts, cost, warnings };
    const isAdded = await state.exports.addPart(job.data.export_id, added, clock.now());
    // Whoever had the job before, and counted as dead, was only slow: its part is there, and the next one follows it.
    const next = isAdded ? after : await state.exports.begin(job.data.export_id, clock.now());
    if (!next) return null;
    at = next;
    await job.progress(at.done, Math.max(at.done, at.total));
  }
  return at;
}

/** Stores a file in pieces, in the place of those of an attempt before. */
async function keepFile({ services, job, stored }: Exporting, folder: string, { name }: ExportFile): Promise<void> {
  const { pieces } = services.state;
  const owner = job.data.export_id;
  const file = await open(join(folder, name));
  try {
    let number = 0;
    const buffer = Buffer.alloc(PIECE_BYTES);
    for (;;) {
      job.signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES, number * PIECE_BYTES);
      if (bytesRead === 0) break;
      const bytes = buffer.subarray(0, bytesRead);
      await pieces.keep({ accountId: stored.accountId, owner, name, number, bytes });
      number++;
    }
    while (await pieces.drop(owner, name, number));
  } finally {
    await file.close();
  }
}

/** Does some work with an empty folder, which is deleted after it: what a process that was killed left there is deleted first. */
async function inFolder<T>(folder: string, work: (folder: string) => Promise<T>): Promise<T> {
  const clear = () => rm(folder, { recursive: true, force: true });
  await clear();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return work(folder).finally(clear);
}

/** Writes the files of an export whose parts are all there. */
function writeFiles(exporting: Exporting, whole: StoredWork): Promise<ExportFile[]> {
  const { services, job, work, ctx } = exporting;
  const id = job.data.export_id;
  const { state, engine, clock } = services;
  return inFolder(join(services.home, FOLDER, id), async folder => {
    for (let number = 0; number < whole.parts; number++) {
      job.signal.throwIfAborted();
      const bytes = await state.pieces.piece(id, PARTS, number);
      if (!bytes) throw new Error(`part ${number} of an export is gone`);
      await writeFile(join(folder, `part-${String(number).padStart(6, '0')}`), bytes, { mode: 0o600 });
    }
    const { source, fields, format } = work;
    const files = await exportThreads(services.catalog).write({
      folder,
      format,
      of: source.of === 'search' ? 'matches' : 'rows',
      addresses: source.of === 'upload' && source.kind === 'address',
      fields: fields.names,
      about: {
        export_id: id,
        release: ctx.release.source,
        created_at: new Date(clock.now()).toISOString(),
        counts: whole.counts,
        warnings: whole.warnings,
      },
      ...citationsOfColumns(engine, fields.columns),
    });
    for (const file of files) await keepFile(exporting, folder, file);
    return files;
  });
}

/**
 * Makes the table of an export. Parts are stored as they are made: whoever takes the job over after its process died goes on behind
 * the last one.
 */
export const exportJob: JobKind<{ readonly export_id: string }> = {
  name: 'export',
  summary: 'Makes the table of an export.',
  atOnce: 2,
  attempts: 12,
  retryMs: 1_000,
  mostMs: 60_000,
  async run(services, job) {
    const { state, clock, engine } = services;
    const id = job.data.export_id;
    const stored = await state.exports.begin(id, clock.now());
    if (!stored) return undefined;
    const fail = (error: ServiceError) => exportFailed(id, asError(error), clock.now());
    const [account] = await state.accountsOf([stored.accountId]);
    if (!account) return fail(new ServiceError('export_interrupted'));
    const ctx: Ctx = {
      ...services,
      account,
      credential: null,
      signal: job.signal,
      deadline: clock.now() + PART_LIMIT_MS,
      requestId: id,
      bill: new Bill(),
      release: new ReleaseChoice(engine),
    };
    try {
      chooseRelease(ctx, { release: stored.release });
      const exporting = { services, job, stored, work: JSON.parse(stored.work) as ExportWork, ctx };
      const whole = await makeParts(exporting);
      if (!whole) return undefined;
      const files = await writeFiles(exporting, whole);
      return exportDone(id, files, clock.now(), {
        error: 'credits_exhausted',
        message: 'The credits that the export had reserved were gone when it was done.',
        retryable: true,
      });
    } catch (error) {
      // What is wrong with the export itself does not become right by another attempt.
      if (!(error instanceof ServiceError) || error.retryable) throw error;
      return fail(error);
    }
  },
  ended: ({ data }, _ending, clock) =>
    exportFailed(data.export_id, asError(new ServiceError('export_interrupted')), clock.now()),
};
