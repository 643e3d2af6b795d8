import type { Confidence, Value } from '../../datasets/dataset.ts';
import { type Finding, joinedCitation, type NearKey } from '../evaluate/finding.ts';

/**
 * All of a stored finding but its value: parcels of one answer to `why` share it, and a code stands for it beside
 * each value. Several sources are joined by `;` as in a record.
 */
export interface Reason {
  readonly status: Finding['status'];
  readonly notes: readonly string[];
  readonly confidence: Confidence;
  /** Of an area key: the keys that an edge may change it to. */
  readonly near?: readonly NearKey[];
  /** Null where nothing could be read: the dataset's own id and URL stand for it. */
  readonly source: string | null;
  readonly sourceUrl: string | null;
  readonly vintage: string | null;
  /** Only failed. */
  readonly error?: string;
  readonly retryable?: boolean;
}

/** The reason of a finding, apart from its value. */
export function reasonOf(finding: Finding): Reason {
  const { status, notes, confidence } = finding;
  const cited = joinedCitation(finding.citations);
  const base: Reason = {
    status,
    notes: [...new Set(notes)],
    confidence,
    ...(finding.near ? { near: finding.near } : {}),
    source: cited?.source ?? null,
    sourceUrl: cited?.url ?? null,
    vintage: cited?.vintage ?? null,
  };
  if (status !== 'failed') return base;
  return { ...base, error: finding.error ?? 'failed', retryable: finding.retryable ?? false };
}

/** The finding that a reason and a value were stored of; records made of both are equal. */
export function findingOf(reason: Reason, value: Value): Finding {
  const { status, notes, confidence, near, source, sourceUrl, vintage } = reason;
  const citations = source === null ? [] : [{ source, url: sourceUrl, vintage }];
  const given = status === 'ok' ? value : null;
  const base: Finding = { status, value: given, notes, citations, confidence, ...(near ? { near } : {}) };
  if (status !== 'failed') return base;
  return { ...base, error: reason.error ?? 'failed', retryable: reason.retryable ?? false };
}

const CONFIDENCES: readonly unknown[] = ['low', 'medium', 'high'];
const STATUSES: readonly unknown[] = ['ok', 'absent', 'failed'];
const isText = (value: unknown) => value === null || typeof value === 'string';

/** Whether parsed JSON is a reason. */
export function isReason(value: unknown): value is Reason {
  if (typeof value !== 'object' || value === null) return false;
  const { status, notes, confidence, source, sourceUrl, vintage } = value as Record<string, unknown>;
  return (
    STATUSES.includes(status) &&
    CONFIDENCES.includes(confidence) &&
    Array.isArray(notes) &&
    notes.every(note => typeof note === 'string') &&
    isText(source) &&
    isText(sourceUrl) &&
    isText(vintage)
  );
}
