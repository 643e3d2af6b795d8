import { realpathSync } from 'node:fs';
import { argv, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import tab from '@bomb.sh/tab/commander';
import { CommanderError, Option, Command as Program } from 'commander';
import { setProjGrids } from './ingest/crs.ts';
import { setReadLimits } from './ingest/read-limits.ts';
import { type Command, type Terminal, UsageError } from './query/engine/command.ts';
import { readSettings, SETTINGS } from './query/engine/settings.ts';
import { nearestNames } from './query/format/name/nearest-names.ts';
import { visibleText } from './query/format/plain-text.ts';
import { storageProblem } from './query/release/storage.ts';
import { VERSION } from './server/version.ts';

/** The modules that define commands, by the first word of a command's name, so that one command loads only one module. */
export const ROOMS: readonly {
  readonly words: readonly string[];
  readonly load: () => Promise<{ readonly commands: readonly Command[] }>;
}[] = [
  {
    words: ['directory', 'ingest', 'pack', 'place', 'refresh', 'release', 'sources', 'sql', 'world'],
    load: () => import('./pipelines/commands.ts'),
  },
  {
    words: [
      'corrections',
      'demo',
      'serve',
      'open',
      'geocode',
      'token',
      'withhold',
      'session',
      'account',
      'audit',
      'backup',
      'restore',
      'jobs',
      'receipt',
      'requests',
      'settings',
      'verify',
      'work',
    ],
    load: () => import('./server/commands.ts'),
  },
  { words: ['login', 'logout', 'mcp'], load: () => import('./server/agent/commands.ts') },
];

/** The commands of operations, whose words stand nowhere else. */
const OPERATIONS_ROOM = { load: () => import('./server/operations/commands.ts') };

/**
 * Returns the commands of `plat`, in the order of its help.
 * @param word loads only the module of commands that begin with this word; without a match, all modules.
 */
export async function loadCommands(word?: string): Promise<Command[]> {
  if (word !== undefined) {
    const { load } = ROOMS.find(room => room.words.includes(word)) ?? OPERATIONS_ROOM;
    const { commands } = await load();
    if (commands.some(({ name }) => name.split(' ')[0] === word)) return [...commands];
  }
  const [first, server, agents] = await Promise.all(ROOMS.map(room => room.load()));
  const { commands } = await OPERATIONS_ROOM.load();
  return [first!, server!, { commands }, agents!].flatMap(module => module.commands);
}

const GROUPS: Readonly<Record<string, string>> = {
  ingest: 'Turn published files into releases.',
  place: 'Make place files and try them.',
  sources: 'Look whether publishers still have what the catalog reads.',
  jobs: 'Jobs in the background: what waits, runs and failed.',
  directory: 'Where counties publish parcels and addresses.',
  corrections: 'Corrections of values: who says that one is wrong, and what was decided.',
  requests: 'Field requests: from the queue to live.',
  receipt: 'Receipts of answers.',
  release: 'Look at releases and check them.',
  account: 'Accounts.',
  session: 'Browser sessions of the embedded provider.',
  token: 'API tokens.',
  withhold: 'Owners that no answer tells.',
  world: 'The synthetic area.',
};

/** Returns the flag of a setting: `PLAT_BODY_LIMIT` → `--body-limit`. */
export const flagOf = (variable: string) =>
  `--${variable
    .replace(/^PLAT_/, '')
    .toLowerCase()
    .replaceAll('_', '-')}`;

/**
 * Copies settings that were given as flags into the environment of the process.
 * @param own flags of the command itself: they are no settings, though one may be called alike.
 */
function applySettings(options: Readonly<Record<string, unknown>>, own: ReadonlySet<string | undefined>): void {
  for (const { variable } of Object.values(SETTINGS)) {
    if (own.has(flagOf(variable))) continue;
    const name = flagOf(variable)
      .slice(2)
      .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (typeof options[name] === 'string') process.env[variable] = options[name];
  }
}

/** Adds the nearest flag of a setting to the message about a flag that nobody knows: help hides them, so commander has none. */
function withSetting(message: string): string {
  const wrong = /unknown option '--([^']+)'/.exec(message)?.[1];
  if (wrong === undefined || message.includes('Did you mean')) return message;
  const flags = Object.values(SETTINGS).map(({ variable }) => flagOf(variable));
  const [nearest] = nearestNames(wrong, flags);
  return nearest ? `${message.trimEnd()}\n(Did you mean ${nearest}?)\n` : message;
}

/** Paints a text whatever reads it: commander takes the paint off where help is not for a terminal, or NO_COLOR is set. */
const painted = (paint: Parameters<typeof styleText>[0], text: string) =>
  styleText(paint, text, { validateStream: false });

/** The heads of help are bold, its commands and flags cyan. */
const HELP_STYLE = {
  styleTitle: (text: string) => painted('bold', text),
  styleSubcommandText: (text: string) => painted('cyan', text),
  styleOptionText: (text: string) => painted('cyan', text),
};

/** Prints why a command failed, in red on a terminal. */
function tellFailure(text: string): void {
  const plain = visibleText(text);
  stderr.write(`${stderr.isTTY && !process.env.NO_COLOR ? painted('red', plain) : plain}\n`);
}

/** Joins the values of a flag that may be given several times, with commas. */
const listed = (value: string, before: unknown) => (typeof before === 'string' ? `${before},${value}` : value);

/** Builds the command line from the registry. @param finish is called with the exit code. */
export function program(list: readonly Command[], finish: (code: number) => void): Program {
  const root = new Program('plat').description('Cited answers about places in the United States from public data');
  root
    .configureOutput({ outputError: (message, write) => write(withSetting(message)) })
    .configureHelp(HELP_STYLE)
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError('(--help shows what is expected)')
    .enablePositionalOptions(false);
  const groups = new Map<string, Program>();
  const parentOf = (name: string): Program => {
    if (!name) return root;
    let group = groups.get(name);
    if (!group) {
      group = root
        .command(name)
        .description(GROUPS[name] ?? name)
        .exitOverride();
      groups.set(name, group);
    }
    return group;
  };
  for (const command of list) {
    const words = command.name.split(' ');
    const leaf = words.pop()!;
    const { example } = command;
    const node = parentOf(words.join(' ')).command(leaf).description(command.summary).exitOverride();
    // A command may have subcommands.
    groups.set(command.name, node);
    for (const argument of command.args ?? []) node.argument(argument);
    for (const { flags, description, fallback } of command.options)
      if (flags.endsWith('...>')) node.option(flags, description, listed);
      else node.option(flags, description, fallback);
    node.option('--json', 'Print one JSON document on stdout.');
    node.option('--quiet', 'Print progress and notes only if the command fails.');
    const taken = new Set(node.options.map(o => o.long));
    for (const { variable, meaning, fallback } of Object.values(SETTINGS))
      if (!taken.has(flagOf(variable)))
        node.addOption(
          new Option(`${flagOf(variable)} <value>`, `${meaning} [${variable}; ${fallback || 'empty'}]`).hideHelp(),
        );
    node.addHelpText('after', `\nExample:\n  ${example}\n\nAll settings, each of which is a flag too: plat settings`);
    node.action(async (...given: unknown[]) => {
      // If a parent command has the same flag, commander gives the value to the parent.
      const options = node.optsWithGlobals();
      applySettings(options, taken);
      const settings = readSettings(process.env);
      const { readUnpacked, readRatio, readMembers, readLine, readValue, readColumns, readCells, readDepth } = settings;
      setProjGrids(settings.projGrids);
      setReadLimits({
        unpackedMb: readUnpacked,
        ratio: readRatio,
        members: readMembers,
        lineMb: readLine,
        valueMb: readValue,
        columns: readColumns,
        cells: readCells,
        depth: readDepth,
      });
      const notes: string[] = [];
      const terminal: Terminal = {
        json: options.json === true,
        interactive: stderr.isTTY === true && options.quiet !== true,
        // What data or strangers wrote must not steer a terminal. A pipe gets tables as they are, and JSON means the same.
        out: line => stdout.write(`${stdout.isTTY || options.json === true ? visibleText(line) : line}\n`),
        err: line => (options.quiet === true ? notes.push(line) : stderr.write(`${visibleText(line)}\n`)),
      };
      // An argument of several words (`<files...>`) comes as a list.
      const args = given
        .slice(0, command.args?.length ?? 0)
        .flat()
        .filter(a => a !== undefined) as string[];
      try {
        const code = await command.run(args, options, terminal);
        if (code === 0) notes.length = 0;
        finish(code);
      } finally {
        for (const line of notes) stderr.write(`${visibleText(line)}\n`);
      }
    });
  }
  tab(root, { completionCommandName: 'completion' });
  const completion = root.commands.find(command => command.name() === 'completion');
  completion?.addHelpText('after', '\nExample, for a start-up file of the shell:\n  source <(plat completion bash)');
  return root;
}

/** Milliseconds that sockets and threads of a command which ended may hold its process open. */
const LEFT_OPEN_MS = 250;

/** Waits until a stream has written everything, so that a long document reaches a pipe before the process ends. */
async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength > 0) await new Promise<void>(resolve => stream.write('', () => resolve()));
}

/** Two numbers, of which the first is below zero: a place as people write it, west first. */
const PLACE_BELOW_ZERO = /^-\d+(?:\.\d+)?°?\s*[NSEW]?\s*[,;\s]\s*[-+]?\d+(?:\.\d+)?°?\s*[NSEW]?$/i;

/** An argument that is no flag although it begins with a minus; commander takes a blank before it as the sign of that. */
const argumentOf = (text: string) => (PLACE_BELOW_ZERO.test(text) ? ` ${text}` : text);

/** Runs `plat` with the given arguments. @returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  let code = 0;
  try {
    await program(await loadCommands(args[0]), c => {
      code = c;
    }).parseAsync(args.map(argumentOf), { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      const wantsHelp = error.code === 'commander.helpDisplayed' || error.code === 'commander.version';
      return wantsHelp || (error.code === 'commander.help' && (args.length === 0 || args[0] === 'help')) ? 0 : 2;
    }
    // A RangeError means that a setting has a wrong value.
    if (error instanceof UsageError || error instanceof RangeError) {
      tellFailure(error.message);
      return 2;
    }
    const { stack = '', message } = error as Error;
    tellFailure(process.env.PLAT_LOG === 'debug' ? stack : message);
    const { home } = readSettings(process.env);
    const problem = (error as Error).name === 'StorageError' ? null : storageProblem(error, home);
    if (problem) stderr.write(`${problem}\n`);
    return 1;
  }
}

if (argv[1] && realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  // If the reader closes the pipe (`| head`), that is not a failure.
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => exit(error.code === 'EPIPE' ? 0 : 1));
  const code = await main(argv.slice(2));
  await Promise.all([flushed(stdout), flushed(stderr)]);
  // Node's exit() waits for V8's threads, and one that compiles may wait for the main thread to collect memory: both wait forever
  // (nodejs/node#54918). The process ends by itself instead; exit() is left for what holds it open, when nothing compiles anymore.
  process.exitCode = code;
  setTimeout(exit, LEFT_OPEN_MS, code).unref();
}
