import { StatementSync } from 'node:sqlite';
import pg from 'pg';
import { vi } from 'vitest';

/** The statements that state stores of this process are given while work runs, in their order, without their parameters. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const listening = (['all', 'run', 'iterate'] as const).map(name => {
    const given: (...args: never[]) => unknown = StatementSync.prototype[name];
    return vi.spyOn(StatementSync.prototype, name as 'all').mockImplementation(function (
      this: StatementSync,
      ...args: unknown[]
    ) {
      texts.push(this.sourceSQL);
      return Reflect.apply(given, this, args) as never;
    });
  });
  const { query } = pg.Client.prototype;
  const asked = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [given] = args as [string | { readonly text: string }];
    texts.push(typeof given === 'string' ? given : given.text);
    return Reflect.apply(query, this, args) as never;
  } as never);
  try {
    await work();
  } finally {
    for (const spy of [...listening, asked]) spy.mockRestore();
  }
  return texts;
}
