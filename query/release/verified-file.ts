import { type Stats, statSync } from 'node:fs';
import type { ReleaseFile } from '../../datasets/release.ts';
import { hashFile } from '../format/file-hash.ts';
import { changesSoFar, noteChange, sameStamp, stampOf, statOf } from '../format/file-stamp.ts';
import { correctionsOf } from './corrections/correction-list.ts';
import { Fault } from './fault.ts';
import type { Release } from './open-release.ts';
import { lacksFile } from './pack/pack.ts';
import { freshFor, SoundRecord } from './sound-record.ts';
import { withheldList } from './withheld/withheld-list.ts';

/**
 * Bytes up to which a file is hashed where it is asked for: about a tenth of a second at 800 MB/s. Larger ones are left
 * to the file checker, because a field's source has five seconds in all and 4 GB take that long.
 */
export const INLINE_BYTES = 64 << 20;

/** A file whose bytes were judged, and under which stamp. */
export interface Judged {
  readonly sha256: string;
  readonly stamp: string;
  readonly sound: boolean;
}

/** A file that may be read. */
export interface Verified {
  readonly path: string;
  /** An object opened on another stamp must be opened again. */
  readonly stamp: string;
  /** What caches know these bytes by: what was read before a change is not mistaken for what was read after it. */
  readonly id: string;
  /** What the stamp was made of. */
  readonly stat: Stats;
  /** Which lists of what is withheld and corrected are part of the id; missing where there are none. */
  readonly lists?: string;
}

interface Verdict extends Verified {
  /** When the file was looked at last, of `performance.now()`, and what changesSoFar said then. */
  lookedAt: number;
  changes: number;
  /** Resolves to null when the bytes are those of the manifest, otherwise to what is wrong. */
  readonly problem: Promise<Fault | null> | null;
  /** Undefined while it is being hashed here (`problem`) or by the file checker. */
  settled: Fault | null | undefined;
}

/** What is told of a verdict while something is withheld or corrected. */
const toldVerdicts = new WeakMap<Verdict, { readonly of: string; readonly at: Verified }>();

/** What the lists of what is withheld and corrected are known by now; empty where there are none. */
export const listsOf = (release: Release): string =>
  `${withheldList(release.home).stamp}${correctionsOf(release).stamp}`;

/**
 * A verdict as it is told: with the lists of what is withheld and corrected another one is opened anew, and what memory holds of the
 * bytes as they were told before is not found.
 */
function told(release: Release, verdict: Verdict): Verified {
  const of = listsOf(release);
  if (of === '') return verdict;
  const cached = toldVerdicts.get(verdict);
  if (cached?.of === of) return cached.at;
  const { path, stat, stamp, id } = verdict;
  const at: Verified = { path, stat, stamp: `${stamp} ${of}`, id: `${id} ${of}`, lists: of };
  toldVerdicts.set(verdict, { of, at });
  return at;
}

const verdicts = new Map<string, Verdict>();
const records = new Map<string, SoundRecord>();

/** Bytes from which this thread relies on the file checker; Infinity where none runs. */
let checkedFrom = Number.POSITIVE_INFINITY;
let judged: readonly Judged[] = [];

/** Tells this thread that a file checker runs for files larger than this. */
export function relyOnChecker(bytes: number): void {
  checkedFrom = bytes;
}

/** Takes over what the file checker has found that the record does not hold. */
export function heedChecker(found: readonly Judged[]): void {
  judged = found;
}

/** The file's short name in messages: paths of the server stay inside. */
const nameOf = (file: ReleaseFile) => `${file.role} file ${file.sha256.slice(0, 12)}`;

/** An unreadable file is retryable: it answers again as soon as it is restored. */
const unreadable = (file: ReleaseFile, why: string) => new Fault(`${nameOf(file)} ${why}`, true);
const WRONG_BYTES = 'is damaged: its bytes do not have the checksum of the release';

function recordOf(home: string): SoundRecord {
  let record = records.get(home);
  if (!record) {
    record = new SoundRecord(home);
    records.set(home, record);
  }
  return record;
}

/** SHA-256 of a file in lower-case hex; of a file changed this moment only when its stamp tells. @throws system errors. */
export async function sha256Of(path: string): Promise<string> {
  const wait = freshFor(statSync(path));
  if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
  return hashFile(path);
}

/** What reading a whole file came to. */
interface Hashed {
  readonly fault: Fault | null;
  /** Whether it holds as long as the file is not changed: one that could not be read may be the next time. */
  readonly lasting: boolean;
}

async function hash(path: string, file: ReleaseFile, stamp: string, record: SoundRecord): Promise<Hashed> {
  try {
    if ((await sha256Of(path)) !== file.sha256) return { fault: unreadable(file, WRONG_BYTES), lasting: true };
  } catch (error) {
    const why = `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`;
    return { fault: unreadable(file, why), lasting: false };
  }
  record.add(file.sha256, stamp);
  return { fault: null, lasting: true };
}

/** What is known of a large file that the checker has not judged under this stamp. */
function awaited(file: ReleaseFile, stamp: string, record: SoundRecord): Fault | null | undefined {
  const verdict = judged.find(j => j.sha256 === file.sha256 && j.stamp === stamp);
  if (verdict) return verdict.sound ? null : unreadable(file, WRONG_BYTES);
  const recorded = record.get(file.sha256);
  if (recorded === stamp) return null;
  // Never hashed on this machine: FlatGeobuf's own checks must do meanwhile. The readers of Parquet and GeoTIFF have
  // none to speak of, and what was sound and has been touched since is not believed until it is hashed again.
  if (recorded === undefined && (file.role === 'features' || file.role === 'coverage')) return undefined;
  throw unreadable(file, 'was changed or is new here and is being checked; ask again shortly');
}

/**
 * Asked after a verified file was opened, or was read by its path. @throws Fault, retryable, when it has been changed or
 * replaced since it was verified: what was read may not be what was verified.
 */
export function requireUnchanged(file: ReleaseFile, at: Verified): void {
  const stat = statOf(at.path);
  if (stat && sameStamp(stat, at.stat)) return;
  noteChange();
  throw unreadable(file, 'was changed while it was being read');
}

/**
 * Milliseconds for which a look at a file holds. Whoever reads bytes sees by itself whether the file is still as it was opened,
 * and memory holds only what was verified: a file damaged meanwhile changes no answer, it fails those that come later.
 */
export const LOOK_MS = 1_000;

/** Whether a file that was found sound is believed without looking at it. */
const isBelieved = ({ settled, lookedAt, changes }: Verdict, now: number): boolean =>
  settled === null && now - lookedAt < LOOK_MS && changes === changesSoFar();

const looked = (path: string, { sha256 }: ReleaseFile, stat: Stats, stamp: string, lookedAt: number) => ({
  path,
  stamp,
  stat,
  id: `${sha256}@${stamp}`,
  lookedAt,
  changes: changesSoFar(),
});

function judge(release: Release, file: ReleaseFile, path: string, now: number): Verdict {
  const cached = verdicts.get(path);
  const stat = statOf(path);
  if (!stat) {
    verdicts.delete(path);
    if (lacksFile(release, file))
      throw new Fault(`the ${nameOf(file)} is not in this pack, which was made for other ground`);
    throw unreadable(file, 'is missing or cannot be reached');
  }
  const stamp = stampOf(stat);
  const record = recordOf(release.home);
  const late = stat.size === file.bytes && file.bytes > checkedFrom;
  if (cached?.stamp === stamp) {
    cached.lookedAt = now;
    cached.changes = changesSoFar();
    if (late && cached.settled === undefined) cached.settled = awaited(file, stamp, record);
    return cached;
  }
  const at = looked(path, file, stat, stamp, now);
  let verdict: Verdict;
  if (stat.size !== file.bytes) {
    const fault = unreadable(file, `is damaged: it holds ${stat.size} bytes, the release says ${file.bytes}`);
    verdict = { ...at, problem: null, settled: fault };
  } else if (late) verdict = { ...at, problem: null, settled: awaited(file, stamp, record) };
  else if (record.get(file.sha256) === stamp) verdict = { ...at, problem: null, settled: null };
  else {
    const hashed = hash(path, file, stamp, record);
    const fresh: Verdict = { ...at, problem: hashed.then(({ fault }) => fault), settled: undefined };
    void hashed.then(({ fault, lasting }) => {
      fresh.settled = fault;
      if (!lasting && verdicts.get(path) === fresh) verdicts.delete(path);
    });
    verdict = fresh;
  }
  verdicts.set(path, verdict);
  return verdict;
}

/** What a file was verified as, where it is known to be sound without reading it; null otherwise. */
export function soundFile(release: Release, file: ReleaseFile): Verified | null {
  const sound = soundVerdict(release, file);
  return sound && told(release, sound);
}

function soundVerdict(release: Release, file: ReleaseFile): Verdict | null {
  const path = release.pathOf(file);
  const cached = verdicts.get(path);
  const now = performance.now();
  if (cached && isBelieved(cached, now)) return cached;
  const stat = statOf(path);
  if (!stat || stat.size !== file.bytes) return null;
  const stamp = stampOf(stat);
  if (cached?.stamp === stamp) {
    cached.lookedAt = now;
    cached.changes = changesSoFar();
    return cached.settled === null ? cached : null;
  }
  if (recordOf(release.home).get(file.sha256) !== stamp) return null;
  const sound: Verdict = { ...looked(path, file, stat, stamp, now), problem: null, settled: null };
  verdicts.set(path, sound);
  return sound;
}

/**
 * Makes sure a file still holds the bytes that the manifest promises: the one place where files that answer are looked at, each
 * once in LOOK_MS. It is hashed when it was never hashed under its present inode, size and times (see SoundRecord): here when it
 * is small, by the file checker when it is large.
 * @throws Fault, retryable, when the file is missing, of another size, damaged, or waits for the checker.
 */
export function verify(release: Release, file: ReleaseFile): Verified | Promise<Verified> {
  const path = release.pathOf(file);
  const cached = verdicts.get(path);
  const now = performance.now();
  if (cached && isBelieved(cached, now)) return told(release, cached);
  const verdict = judge(release, file, path, now);
  const { settled, problem } = verdict;
  if (settled) throw settled;
  if (settled === null || problem === null) return told(release, verdict);
  return problem.then(fault => {
    if (fault) throw fault;
    return told(release, verdict);
  });
}
