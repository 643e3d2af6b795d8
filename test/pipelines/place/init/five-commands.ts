import { expect } from 'vitest';
import { commands } from '../../../../pipelines/commands.ts';
import type { Command } from '../../../../query/engine/command.ts';

/** What a command came to. */
export interface Done {
  readonly code: number;
  /** The JSON document that it printed; null when none. */
  readonly answer: Record<string, unknown> | null;
  readonly errors: readonly string[];
}

/** Runs a command of the registry in this process, with `--json`. */
export async function runCommand(
  name: string,
  args: readonly string[],
  options: Parameters<Command['run']>[1],
): Promise<Done> {
  const command = commands.find(c => c.name === name)!;
  const lines: string[] = [];
  const errors: string[] = [];
  const code = await command.run(args, options, {
    json: true,
    interactive: false,
    out: line => lines.push(line),
    err: line => errors.push(line),
  });
  const last = lines.at(-1);
  return { code, answer: last?.startsWith('{') ? JSON.parse(last) : null, errors };
}

/** Files → place file → checked release: init, check, plan, run, verify, each of which must end well. */
export async function fiveCommands(
  files: readonly string[],
  how: {
    readonly home: string;
    readonly sources: string;
    readonly out: string;
    readonly init?: Record<string, string>;
  },
): Promise<Record<'init' | 'check' | 'plan' | 'run' | 'verify', Done>> {
  const { home, sources, out } = how;
  process.env.PLAT_HOME = home;
  const place = { sources, placeFile: out };
  const init = await runCommand('place init', files, { sources, out, ...how.init });
  const check = await runCommand('place check', [out], { sources });
  const plan = await runCommand('ingest plan', [], place);
  const run = await runCommand('ingest run', [], { ...place, threads: '0', overlay: false });
  const verify = await runCommand('release verify', [], {});
  const done = { init, check, plan, run, verify };
  for (const [name, { code, answer, errors }] of Object.entries(done))
    expect([name, code, code === 0 ? [] : errors, code === 0 ? null : answer]).toEqual([name, 0, [], null]);
  return done;
}
