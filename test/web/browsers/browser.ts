import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A browser that is driven by a protocol of the W3C. */
export interface DrivenBrowser extends AsyncDisposable {
  readonly name: string;
  goTo(url: string): Promise<void>;
  /** What an expression of the page's scripts is: JSON alone. */
  evaluate(expression: string): Promise<unknown>;
  /** Acts with a mouse and keys, as both protocols write it. */
  act(sources: readonly object[]): Promise<void>;
  /** The screen as PNG. */
  picture(): Promise<Buffer>;
}

/** Ends a process that a test began. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await gone;
  clearTimeout(late);
}

/** A screen that nobody sees, with a folder for a browser's own files. */
export interface Stage extends AsyncDisposable {
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
}

/** Starts Xvfb on a display that is free. */
export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'plat-browser-'));
  const screen = spawn('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp', '-screen', '0', '1280x900x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [display] = (await once(createInterface({ input: screen.stdout! }), 'line')) as [string];
  return {
    folder,
    env: {
      ...{ PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder, LANG: 'C.UTF-8', DISPLAY: `:${display}` },
      ...{ LIBGL_ALWAYS_SOFTWARE: '1', NO_AT_BRIDGE: '1', GDK_BACKEND: 'x11' },
    },
    async [Symbol.asyncDispose]() {
      await ended(screen);
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
    },
  };
}
