import type { Point } from '../../query/evaluate/answer.ts';
import { type Ctx, termsOf } from '../context.ts';
import { tellsOwners } from '../fetch/owner-withholding.ts';
import { MAX_FIELDS } from '../fetch/selection.ts';
import type { Difference } from './difference.ts';
import { CHANGES_BYTES, MOST_CHANGES } from './limits.ts';
import type { WatchEvent } from './schema.ts';
import type { WatchSubject } from './subject.ts';

type Change = WatchEvent['changes'][number];
type ChangedFiles = Change['files'];

/** The hashes of the files of each layer that a field reads at some points. @throws TaskFailed, EngineBusy, AbortError. */
async function filesAt(ctx: Ctx, field: string, points: readonly Point[]): Promise<ReadonlyMap<string, string[]>> {
  const { layers } = await ctx.engine.evidence({ names: [field], sources: [], points }, termsOf(ctx));
  return new Map(layers.map(({ layer, files }) => [layer, files.map(({ sha256 }) => sha256)]));
}

/** The files that a field reads there and that differ between two releases. */
async function changedFiles(
  [before, after]: readonly [Ctx, Ctx],
  field: string,
  points: readonly Point[],
): Promise<ChangedFiles> {
  const [old, fresh] = [await filesAt(before, field, points), await filesAt(after, field, points)];
  return [...new Set([...old.keys(), ...fresh.keys()])].sort().flatMap(layer => {
    const [was, is] = [old.get(layer) ?? [], fresh.get(layer) ?? []];
    const gone = was.filter(hash => !is.includes(hash));
    const came = is.filter(hash => !was.includes(hash));
    return gone.length + came.length === 0 ? [] : [{ layer, before: gone, after: came }];
  });
}

/** The path at which all changes are read. @param fields that the watch is about or filters by. */
function pathOfAll(subject: WatchSubject, since: string, fields: readonly string[]): string {
  if (subject.of === 'site') return `/v1/sites/${subject.siteId}/dossier`;
  return `/v1/changes?since=${since}&fields=${fields.slice(0, MAX_FIELDS).join(',')}`;
}

/** Result of a comparison. */
export interface Finding {
  readonly differences: readonly Difference[];
  /** Gaps of the comparison with their reasons. */
  readonly gaps: readonly string[];
  /** Names that were compared. */
  readonly fields: readonly string[];
}

/**
 * Makes the event of a watch: as many changes as one may tell, each with the files that differ.
 * @param at contexts of the two releases. @param outline points of a site beside the one where it is asked.
 * @returns null where there is nothing to tell.
 */
export async function eventOf(
  at: readonly [Ctx, Ctx],
  watchId: string,
  subject: WatchSubject,
  since: string,
  { differences, gaps, fields }: Finding,
  outline: readonly Point[] = [],
): Promise<WatchEvent | null> {
  if (differences.length === 0 && gaps.length === 0) return null;
  const release = at[1].release.id!;
  const changes: Change[] = [];
  let bytes = 0;
  for (const { id, change, field, before, after, point } of differences.slice(0, MOST_CHANGES)) {
    const told: Change = {
      ...(subject.of === 'site' ? { site_id: id } : { parcel_id: id }),
      ...{ change, field, before, after },
      files: field === null ? [] : await changedFiles(at, field, [point, ...outline]),
    };
    bytes += Buffer.byteLength(JSON.stringify(told));
    if (bytes > CHANGES_BYTES) break;
    changes.push(told);
  }
  return {
    event_type: 'watch_changed',
    watch_id: watchId,
    ...{ since, release },
    total: differences.length,
    changes,
    // The earlier release may be gone, and another one was compared in its place.
    rest: changes.length === differences.length ? null : pathOfAll(subject, at[0].release.id!, fields),
    gaps: [...gaps],
  };
}

/** A value that is told no more. */
const withheldAnswer = (answer: Change['before']): Change['before'] =>
  answer && { ...answer, value: null, status: 'absent' };

/**
 * An event as it may be told: without its owners where it was stored before one was withheld.
 * @param text JSON of it. @param createdAt when it was stored, and @param since when an owner was withheld last: epoch milliseconds.
 */
export function eventNow(text: string, createdAt: number, since: number): WatchEvent {
  const event = JSON.parse(text) as WatchEvent;
  if (createdAt > since) return event;
  const changes = event.changes.map(change =>
    change.field !== null && tellsOwners([change.field])
      ? { ...change, before: withheldAnswer(change.before), after: withheldAnswer(change.after) }
      : change,
  );
  return { ...event, changes };
}
