import { mkdirSync, rmSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import type { Terminal } from '../../../query/engine/command.ts';
import { correctionsPath } from '../../../query/release/corrections/correction-list.ts';
import { commands } from '../../../server/commands.ts';
import { openState } from '../../../server/state/open.ts';
import { folder } from '../../pipelines/world/truth.ts';

afterEach(() => vi.unstubAllEnvs());

it('words of strangers move nothing in the terminal, and a step that is taken says so where the list cannot be written', async () => {
  const home = folder();
  vi.stubEnv('PLAT_HOME', home);
  const state = await openState(home, '');
  const { id: accountId } = await state.openAccount('ann@example.org', 'free');
  const said = { value: 1, status: 'ok', source: 's', source_url: null, dataset_vintage: null, release: 'r1' } as const;
  const place = { lat: 44.8, lng: -68.77, parcel_id: null };
  const evidence = { note: 'a\u009b31mb\u202ec' };
  const id = `cor_${'a'.repeat(26)}`;
  const filed = { id, accountId, field: 'elevation', value: 17.5, place, evidence, said, callback: null };
  await state.corrections.file({ ...filed, createdAt: 1_000 }, 3, 'ann@example.org');
  await state.close();
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = (json: boolean): Terminal => ({
    ...{ json, interactive: false },
    out: line => out.push(line),
    err: line => err.push(line),
  });
  const run = (name: string, args: string[], json = true, options: Record<string, string> = {}) =>
    commands.find(found => found.name === name)!.run(args, options, terminal(json));

  for (const json of [true, false]) await run('corrections show', [id], json);
  await run('corrections list', [], true, { limit: '5' });
  expect(out.join('\n')).not.toMatch(/[\u0080-\u009f\u202e]/u);
  expect(JSON.parse(out[0]!).evidence).toEqual(evidence);

  mkdirSync(correctionsPath(home));
  expect(await run('corrections accept', [id])).toBe(0);
  expect(out.at(-1)).toBe(JSON.stringify({ correction_id: id, status: 'accepted' }));
  expect(err).toEqual([expect.stringMatching(/list of corrections here could not be written/)]);
  rmSync(home, { recursive: true });
});
