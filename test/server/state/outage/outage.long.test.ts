import pg from 'pg';
import { expect, it } from 'vitest';
import { openState } from '../../../../server/state/open.ts';
import { startPostgres } from '../postgres.ts';

it('a row that somebody keeps locked refuses who wants it after eight seconds, and nobody else', {
  tags: ['PostgreSQL'],
}, async () => {
  const cluster = await startPostgres();
  const url = await cluster.database();
  const said: string[] = [];
  const say = (_: object, message: string) => said.push(message);
  const state = await openState('', url, { error: say, warn: say });
  const [one, two] = await Promise.all(['a@b', 'c@d'].map(email => state.openAccount(email, 'build')));
  const reserve = (accountId: string, id: string) =>
    state.ledger.reserve({
      id,
      accountId,
      period: '2026-01',
      endpoint: 'fetch',
      grantId: '',
      costs: [1],
      allowance: 1e12,
      now: 0,
      expiresAt: 1e15,
    });
  await reserve(one!.id, 'first');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query('select * from credit_usage for update');
  let refused: unknown;
  const waiting = reserve(one!.id, 'second').catch((error: unknown) => {
    refused = error;
  });
  for (let i = 0; !refused; i++) expect(await reserve(two!.id, `other ${i}`)).toMatchObject({ reserved: 1 });
  await waiting;
  expect(refused).toMatchObject({ code: 'state_unavailable' });
  expect(said).toEqual([]);
  await client.query('rollback');
  await client.end();
  expect(await state.ledger.usage(one!.id, '2026-01', 0)).toMatchObject({ held: 1 });
  await state.close();
  await cluster.stop();
});
