import { describe, expect, it } from 'vitest';
import { workBehindPooler } from './pooler-jobs.ts';

const MINUTES = 10;

describe('ten minutes of jobs of two servers behind PgBouncer', { tags: ['PostgreSQL', 'PgBouncer'] }, () => {
  it('have their effects once, and leave nothing in the connections that it lends', {
    timeout: (MINUTES + 3) * 60_000,
  }, async () => {
    expect(await workBehindPooler(MINUTES * 60_000)).toBeGreaterThan(0);
  });
});
