// Tasks as an agent would get them, played as call graphs over /mcp by both generations of the SDK, over HTTP and stdio, against
// the synthetic area: is the answer right, how many calls, tokens (arguments and both forms of answers) and bytes does it take.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer';
import { catalog } from '../datasets/catalog.ts';
import synthetic from '../datasets/places/synthetic.ts';
import { run } from '../pipelines/run.ts';
import { worldFiles } from '../pipelines/world/layer.ts';
import { makeWorld } from '../pipelines/world/world.ts';
import { writeFiles } from '../pipelines/world/write-files.ts';
import { readSettings } from '../query/engine/settings.ts';
import { startServer } from '../server/service.ts';
import { SILENT } from '../test/pipelines/silent.ts';

import { CLIENTS } from './agents/clients.ts';
import { Ground } from './agents/ground.ts';
import { playTask } from './agents/play.ts';
import { isRight, TASKS } from './agents/tasks.ts';
import { type BenchRow, report } from './report.ts';

/** The area of the tests: small, and the same in every run. */
const SHARED_AREA = { parcels: 240, seed: 11 } as const;
const folder = mkdtempSync(join(tmpdir(), 'plat-bench-agents-'));
const home = join(folder, 'home');
let failed = 0;
try {
  const world = await makeWorld(SHARED_AREA);
  if (process.env.BENCH_HOME) cpSync(process.env.BENCH_HOME, home, { recursive: true });
  else {
    const sources = join(folder, 'sources');
    await writeFiles(worldFiles(world), sources);
    await run({ home, sources, place: synthetic, threads: 2, progress: SILENT, overlay: { memoryMb: 512 } });
  }
  const settings = { PLAT_HOME: home, PORT: '0', PLAT_WORKERS: '1', PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'silent' };
  const service = await startServer(readSettings(settings), catalog);
  const token = await service.tokens.issue(await service.state.openAccount('bench@example.org', 'market'));
  const ground = await Ground.of(world, home);
  const rows: BenchRow[] = [];
  const row = (name: string, unit: string, ours: number): BenchRow => ({
    case: name,
    unit,
    ours,
    peer: null,
    ratio: null,
  });
  for (const [kind, open] of Object.entries(CLIENTS)) {
    const client = await open(service.address, token);
    const tools = await client.tools();
    const sums = { calls: 0, tokens: 0, bytes: 0 };
    for (const task of TASKS) {
      const { answer, calls, tokens, bytes, faults } = await playTask(task, client, tools).catch((error: Error) => ({
        ...{ answer: null, calls: 0, tokens: 0, bytes: 0 },
        faults: [error.stack?.split('\n').slice(0, 3).join(' ') ?? error.message],
      }));
      const truth = task.truth(ground);
      const right = isRight(answer, truth);
      if (!right || faults.length > 0) {
        failed++;
        const said = right ? '' : `answered ${JSON.stringify(answer)}, right is ${JSON.stringify(truth)}; `;
        process.stdout.write(`WRONG ${kind}: ${task.name}: ${said}${faults.join('; ')}\n`);
      }
      if (kind === Object.keys(CLIENTS)[0])
        process.stdout.write(
          `${String(calls).padStart(2)} calls ${String(tokens).padStart(6)} tokens ${String(bytes).padStart(7)} bytes  ${task.name}\n`,
        );
      sums.calls += calls;
      sums.tokens += tokens;
      sums.bytes += bytes;
    }
    await client.close();
    rows.push(
      row(`${kind}: the list of tools`, 'tokens', countTokens(JSON.stringify(tools))),
      row(`${kind}: calls a task`, 'calls', sums.calls / TASKS.length),
      row(`${kind}: a task`, 'tokens', sums.tokens / TASKS.length),
      row(`${kind}: a task`, 'bytes', sums.bytes / TASKS.length),
    );
  }
  await service.drain(1_000);
  report('agents', {}, rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed > 0 ? 1 : 0);
