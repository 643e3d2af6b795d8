import type { Confidence, Value } from '../../datasets/dataset.ts';
import { memo } from '../../datasets/memo.ts';
import type { Partition } from '../../datasets/release.ts';
import { DamagedFile } from '../format/damaged-file.ts';
import { Fault, Interrupted } from '../release/fault.ts';
import type { MaybePromise } from '../release/maybe-promise.ts';
import type { Answer } from './answer.ts';

/** What a value rests on: printed as source, URL and vintage of the record. */
export interface Citation {
  readonly source: string;
  readonly url: string | null;
  readonly vintage: string | null;
}

/** Another area so near that the point may lie in it. */
export interface NearKey {
  /** That area in words, such as "county 23019 (county_fips)". */
  readonly what: string;
  /** Its key; null where there is none. */
  readonly key: string | null;
  /** To its edge, and stated accuracy of that; null where nobody states any. */
  readonly metres: number;
  readonly accuracy: number | null;
}

/** What an operator found, before it is made a record. */
export interface Finding<T = Value> {
  readonly status: 'ok' | 'absent' | 'failed';
  /** Null unless ok. */
  readonly value: T;
  readonly notes: readonly string[];
  readonly citations: readonly Citation[];
  readonly confidence: Confidence;
  /** Where an edge is so near that another answer may be true: what no rule lifts the confidence above. */
  readonly atEdge?: 'low' | 'medium';
  /** Standard error of a number, in its unit; absent where none is known. */
  readonly spread?: number;
  /** Of an area key: the keys that an edge may change it to. */
  readonly near?: readonly NearKey[];
  /** Only failed. */
  readonly error?: string;
  readonly retryable?: boolean;
}

const NOTHING: readonly string[] = [];

interface Cited {
  readonly citations: readonly Citation[];
  readonly notes: readonly string[];
}

/** What one partition alone is cited as: most answers rest on one. */
const citedAs = memo((partition: Partition) => cited([partition]));
/** The same of several: lists of a search are the same for all points of a place. */
const citedTogether = memo(cited);

/** Citations and standing notes (stand-in product, synthetic data) of the partitions that answered, each once. */
export function citationsOf(partitions: Iterable<Partition>): Cited {
  const all = Array.isArray(partitions) ? (partitions as readonly Partition[]) : [...partitions];
  return all.length === 1 ? citedAs(all[0]!) : citedTogether(all);
}

/** What place files say of columns, of the partitions that answer; nearly always nothing. */
export function notesOn(
  from: Iterable<{ readonly provenance: Pick<Partition['provenance'], 'notes'> }>,
  columns: readonly string[],
): readonly string[] {
  const said = new Set<string>();
  for (const { provenance } of from)
    for (const note of provenance.notes ?? [])
      if (columns.some(column => note.columns.includes(column))) said.add(note.text);
  return said.size ? [...said] : NOTHING;
}

function cited(partitions: readonly Partition[]): Cited {
  const citations: Citation[] = [];
  const notes: string[] = [];
  for (const { provenance } of partitions) {
    const { source, url, vintage, note } = provenance;
    if (!citations.some(c => c.source === source && c.url === url && c.vintage === vintage))
      citations.push({ source, url, vintage });
    if (note && !notes.includes(note)) notes.push(note);
  }
  return { citations, notes };
}

/** A confidence that is medium at most where a partition's boundaries are generalised. */
export function capped(confidence: Confidence, from: Iterable<Partition>): Confidence {
  if (confidence !== 'high') return confidence;
  for (const { provenance } of from) if (provenance.generalised) return 'medium';
  return confidence;
}

/** A value with what it rests on. */
export function found<T = Value>(
  value: T,
  confidence: Confidence,
  from: Iterable<Partition>,
  notes: readonly string[] = [],
): Finding<T> {
  const cited = citationsOf(from);
  const said = notes.length ? [...notes, ...cited.notes] : cited.notes;
  return { status: 'ok', value, confidence: capped(confidence, from), citations: cited.citations, notes: said };
}

/** No value, with the reason first. @param more what qualifies the reason. */
export function absent(
  reason: string,
  confidence: Confidence,
  from: Iterable<Partition>,
  more: readonly string[] = NOTHING,
): Finding<null> {
  const cited = citationsOf(from);
  const { citations, notes } = cited;
  return {
    status: 'absent',
    value: null,
    confidence: capped(confidence, from),
    citations,
    notes: [reason, ...more, ...notes],
  };
}

/**
 * A failed source: any error becomes one, so that no field takes another down. A partition at fault is cited, because what
 * is installed may be another product than the catalog's, or synthetic.
 * @throws Interrupted as it is.
 */
export function failed(error: unknown): Finding<null> {
  if (error instanceof Interrupted) throw error;
  const base = { status: 'failed', value: null, notes: [], citations: [], confidence: 'low' } as const;
  if (error instanceof Fault) {
    const cited = error.partition ? citationsOf([error.partition]) : null;
    return { ...base, ...cited, error: error.message, retryable: error.retryable };
  }
  // An unreadable file is retryable: a refresh or a repaired disk brings it back while the server runs.
  if (error instanceof DamagedFile) return { ...base, error: error.message, retryable: true };
  const { code } = error as NodeJS.ErrnoException;
  if (code) return { ...base, error: `the source cannot be read (${code})`, retryable: true };
  return {
    ...base,
    error: `the source cannot be used: ${(error as Error).message ?? String(error)}`,
    retryable: false,
  };
}

/** What some work finds, its fault as a failed finding. @throws (or rejects with) Interrupted. */
export function orFailed(work: () => MaybePromise<Finding>): MaybePromise<Finding> {
  try {
    const finding = work();
    return finding instanceof Promise ? finding.catch(failed) : finding;
  } catch (error) {
    return failed(error);
  }
}

const joined = (values: readonly (string | null)[]): string | null => {
  if (values.length === 1) return values[0] || null;
  const given = [...new Set(values.filter(v => v !== null && v !== ''))];
  return given.length ? given.join(';') : null;
};

/** Several citations as one, their parts joined by `;`; null of none. */
export function joinedCitation(citations: readonly Citation[]): Citation | null {
  const source = joined(citations.map(c => c.source));
  if (source === null) return null;
  return { source, url: joined(citations.map(c => c.url)), vintage: joined(citations.map(c => c.vintage)) };
}

/** Notes as one text, each of them once, as sentences one after the other. Null without notes. */
export function saidOnce(notes: readonly string[]): string | null {
  const [first] = notes;
  if (first === undefined) return null;
  const each = notes.length === 1 ? notes : [...new Set(notes)];
  return each.length === 1 ? first : each.map(sentence).join(' ');
}

/** A note with a sentence letter and a full stop. A name of the catalog at its beginning (`fema_nfhl:…`) keeps its case. */
function sentence(note: string): string {
  const [word = ''] = note.split(' ', 1);
  const sentence = /^[a-z]+[,;]?$/.test(word) ? note[0]!.toUpperCase() + note.slice(1) : note;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Several citations as one; the dataset is the source where they name none. */
export function cite(citations: readonly Citation[], dataset: { readonly id: string; readonly url: string | null }) {
  const [only] = citations;
  // Nearly always there is one.
  if (only && citations.length === 1)
    return { source: only.source || dataset.id, sourceUrl: only.url || null, vintage: only.vintage || null };
  return {
    source: joined(citations.map(c => c.source)) ?? dataset.id,
    sourceUrl: citations.length ? joined(citations.map(c => c.url)) : dataset.url || null,
    vintage: joined(citations.map(c => c.vintage)),
  };
}

/**
 * The engine's answer for a finding; several sources are joined by `;`.
 * @param dataset stands as source where nothing could be read.
 * @param fetchedAt UTC with milliseconds and Z.
 */
export function toAnswer(
  finding: Finding,
  dataset: { readonly id: string; readonly url: string | null },
  fetchedAt: string,
): Answer {
  const { status, value, confidence, citations } = finding;
  const base: Answer = {
    status,
    value: status === 'ok' ? value : null,
    notes: saidOnce(finding.notes),
    confidence,
    ...cite(citations, dataset),
    fetchedAt,
  };
  if (status !== 'failed') return base;
  return { ...base, error: finding.error ?? 'failed', retryable: finding.retryable ?? false };
}
