import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { catalog } from '../../datasets/catalog.ts';
import { readSettings } from '../../query/engine/settings.ts';
import type { AcceptedCorrection } from '../../query/release/corrections/correction-list.ts';
import { type Service, startServer } from '../service.ts';
import { openState } from '../state/open.ts';

/** Settings of the machine that an answer depends on, or that its memory does. */
const TAKEN = /^PLAT_(?:SEARCH_|MEMORY_MB$|WORKERS$|BODY_LIMIT$)/;
/** Milliseconds that an answer may take, and the server to end. */
const ANSWER_MS = 240_000;
const DRAIN_MS = 5_000;

/** An answer as it was given again. */
export interface AnswerAgain {
  readonly status: number;
  /** Null where it is no JSON. */
  readonly body: unknown;
}

/** A home of its own, in which one release of another home is the current one; nothing but that is copied or kept. */
function homeOf(home: string, release: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'plat-verify-'));
  const [from, to] = [resolve(home, 'releases'), join(folder, 'releases')];
  mkdirSync(to);
  copyFileSync(join(from, `${release}.json`), join(to, `${release}.json`));
  if (existsSync(join(from, 'files'))) symlinkSync(join(from, 'files'), join(to, 'files'), 'junction');
  writeFileSync(join(to, 'current'), `${release}\n`);
  return folder;
}

/** The settings of a server that nobody but this process reaches, and that asks nobody. */
function settingsFor(home: string) {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => TAKEN.test(name)));
  return readSettings({
    ...own,
    PLAT_HOME: home,
    HOST: '127.0.0.1',
    PORT: '0',
    PLAT_LOG: 'silent',
    PLAT_JOBS: 'off',
    PLAT_RATE_LIMIT: 'off',
    PLAT_METRICS_PORT: '0',
  });
}

/** A server of one release, that has what an answer was made of and nothing else. */
export class PrivateServer implements AsyncDisposable {
  readonly #folder: string;
  readonly #service: Service;
  readonly #token: string;

  private constructor(folder: string, service: Service, token: string) {
    this.#folder = folder;
    this.#service = service;
    this.#token = token;
  }

  /** Starts it. @param corrections those that the answer was told with. @throws Error when the release is not there or cannot be opened. */
  static async start(
    home: string,
    release: string,
    corrections: readonly AcceptedCorrection[] = [],
  ): Promise<PrivateServer> {
    const folder = homeOf(home, release);
    try {
      if (corrections.length > 0) {
        const state = await openState(folder, '');
        await state.corrections.adopt(corrections).finally(() => state.close());
      }
      const service = await startServer(settingsFor(folder), catalog);
      const account = await service.state.openAccount('verification@localhost', 'market');
      return new PrivateServer(folder, service, await service.tokens.issue(account));
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Asks an endpoint. */
  async post(path: string, body: unknown): Promise<AnswerAgain> {
    const reply = await fetch(new URL(path, this.#service.address), {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: 'error',
    });
    const text = await reply.text();
    try {
      return { status: reply.status, body: JSON.parse(text) };
    } catch {
      return { status: reply.status, body: null };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service.drain(DRAIN_MS);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
