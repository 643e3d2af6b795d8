import type { Partition } from '../../datasets/release.ts';
import { type Citation, citationsOf, cite, failed, saidOnce } from '../evaluate/finding.ts';
import { Interrupted } from '../release/fault.ts';
import type { Standing } from './request.ts';

/** Something known, with what it rests on. @param dataset stands as source where its partitions name none. */
export const fact = (citations: readonly Citation[], dataset: string): Standing => ({
  ...{ status: 'ok', reason: null, retryable: false },
  ...cite(citations, { id: dataset, url: null }),
});

/** Nothing, with the reason. */
export const gap = (reason: string, citations: readonly Citation[], dataset: string): Standing => ({
  ...fact(citations, dataset),
  status: 'absent',
  reason,
});

/** Nothing, because a source failed. @throws Interrupted as it is. */
export function failure(error: unknown, dataset: string): Standing {
  if (error instanceof Interrupted) throw error;
  const { citations, error: reason = 'failed', retryable = false } = failed(error);
  return { ...fact(citations, dataset), status: 'failed', reason, retryable };
}

/** What is known by a finding. */
export function standingOf(
  finding: {
    readonly status: Standing['status'];
    readonly notes: readonly string[];
    readonly citations: readonly Citation[];
    readonly error?: string;
    readonly retryable?: boolean;
  },
  dataset: string,
): Standing {
  const { status, notes, citations, error, retryable = false } = finding;
  const reason = status === 'ok' ? null : (error ?? saidOnce(notes) ?? 'it is not known');
  return { ...fact(citations, dataset), status, reason, retryable };
}

/** Citations of partitions. */
export const citationList = (partitions: Iterable<Partition>): readonly Citation[] => citationsOf(partitions).citations;
