/** Code whose faults another layer can hide, and the tests beside it that must find them. */
export interface MutatedLayer {
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

export const LAYERS: Readonly<Record<string, MutatedLayer>> = {
  cursor: {
    files: [
      'server/auth/account-cursor.ts',
      'server/auth/seal.ts',
      'server/search/cursor.ts',
      'server/listing/cursor.ts',
      'server/listing/page.ts',
      'server/changes/cursor.ts',
      'server/ogc/cursor.ts',
    ],
    tests: ['test/server/auth/cursors.test.ts'],
  },
  ledger: {
    files: [
      'server/state/ledger.ts',
      'server/state/usage/{bill,period,usage,usage-days}.ts',
      'server/state/agents/budgets.ts',
      'server/credits/{allowance,budget,charge,price}.ts',
    ],
    tests: ['test/server/state/ledger.test.ts', 'test/server/credits/*.test.ts'],
  },
  admission: {
    files: ['server/rate/*.ts', 'server/lease/*.ts'],
    tests: ['test/server/rate/{admission,limits,turns}.test.ts', 'test/server/lease/{gate,lease}.test.ts'],
  },
  rejected: {
    files: ['query/evaluate/rejected/*.ts'],
    tests: ['test/query/evaluate/rejected/guarded.test.ts', 'test/query/evaluate/rejected/rejected-rows.test.ts'],
  },
  certainty: {
    files: [
      'query/evaluate/{accuracy,confidence}.ts',
      'query/evaluate/edge/{batch-edges,both-ends,certainty,coverage-edge,mapped,near-area}.ts',
      'query/evaluate/vector/{doubt,nearest-doubt}.ts',
    ],
    tests: [
      'test/query/evaluate/confidence.test.ts',
      'test/query/evaluate/edge/certainty-rules.test.ts',
      'test/query/evaluate/edge/unmapped.test.ts',
      'test/query/evaluate/vector/doubt.test.ts',
      'test/query/evaluate/vector/nearest-doubt.test.ts',
      'test/query/evaluate/edge/coverage-edge.test.ts',
      'test/query/evaluate/edge/certainty.test.ts',
    ],
  },
};

/** Mutants that no test can tell from the code, by what they change. They count as alive; whoever reads the list of those passes over them. */
export const UNTOLD: readonly { readonly file: string; readonly code: string; readonly reason: string }[] = [
  {
    file: 'server/auth/seal.ts',
    code: '{ authTagLength: TAG_BYTES }',
    reason: 'the tag is cut to that length before; it is said for whoever reads it',
  },
  {
    file: 'server/search/cursor.ts',
    code: 'digest === undefined',
    reason: 'a digest that is computed again is the same',
  },
  {
    file: 'server/search/cursor.ts',
    code: 'digests.set(body, digest)',
    reason: 'a digest that is computed again is the same',
  },
  { file: 'server/search/cursor.ts', code: "hash('sha256', text", reason: 'any writing of a digest tells as much' },
];
