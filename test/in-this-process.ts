import { vi } from 'vitest';
import { loadCommands } from '../plat.ts';

/** What a command said, as a process of its own would have said it on stdout and stderr. */
export interface Said {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `--place-file <path>` → `placeFile`. */
const keyOf = (flags: string) => /--([\w-]+)/.exec(flags)![1]!.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/**
 * A command of `plat` in this process: one of its own takes a second of a processor. What is of the process (reading words,
 * its exit code after an error) is tried in test/pipelines/command.test.ts.
 * @param options as commander gives them; those that are not given are what the registry says, and `json: true` is `--json`.
 * @throws what the command throws.
 */
export async function inThisProcess(
  home: string,
  name: string,
  { json = false, ...options }: Readonly<Record<string, string | boolean>> = {},
  args: readonly string[] = [],
): Promise<Said> {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = {
    json: json === true,
    interactive: false,
    out: (line: string) => out.push(line),
    err: (line: string) => err.push(line),
  };
  const command = (await loadCommands(name.split(' ')[0])).find(found => found.name === name)!;
  const fallbacks = command.options.flatMap(({ flags, fallback }) => (fallback ? [[keyOf(flags), fallback]] : []));
  vi.stubEnv('PLAT_HOME', home);
  vi.stubEnv('PORT', '0');
  vi.stubEnv('PLAT_WORKERS', '1');
  try {
    const status = await command.run([...args], { ...Object.fromEntries(fallbacks), ...options }, terminal);
    const text = (lines: readonly string[]) => lines.map(line => `${line}\n`).join('');
    return { status, stdout: text(out), stderr: text(err) };
  } finally {
    vi.unstubAllEnvs();
  }
}
