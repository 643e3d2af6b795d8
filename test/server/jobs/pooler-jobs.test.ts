import { describe, expect, it } from 'vitest';
import { workBehindPooler } from './pooler-jobs.ts';

describe('jobs of two servers behind PgBouncer', { tags: ['PostgreSQL', 'PgBouncer'] }, () => {
  it('have their effects once, and leave nothing in the connections that it lends', async () => {
    expect(await workBehindPooler(1_000)).toBeGreaterThan(0);
  });
});
