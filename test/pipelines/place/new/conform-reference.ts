import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PYTHON } from '../../../python.ts';
import type { SourceRows } from './conform-rows.ts';

/** What an evaluation that shares no code with Plat makes of rows: attributes of each, null where the reference stops. */
export function referenceValues(all: readonly SourceRows[]): (Readonly<Record<string, string>> | null)[][] {
  const program = fileURLToPath(new URL('conform.py', import.meta.url));
  const input = JSON.stringify(all.map(({ layer, source, rows }) => ({ layer, conform: source.conform, rows })));
  const { stdout, stderr } = spawnSync(PYTHON, [program], { input, maxBuffer: 2 ** 28, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}
