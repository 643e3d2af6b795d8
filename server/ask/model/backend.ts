import { setTimeout as wait } from 'node:timers/promises';
import type { Catalog } from '../../../datasets/catalog.ts';
import type { ServiceError } from '../../errors/registry.ts';
import type { Backend, Stage } from '../backend.ts';
import { incomplete, isWorthAnother, serviceErrorOf } from './failure.ts';
import { readPlan } from './plan-tool.ts';
import type { ModelProtocol } from './protocol.ts';
import { sentencesOf } from './sentences.ts';

/** Milliseconds before a model that failed is asked once more. */
const PAUSE_MS = 500;

/** Who is told that a model failed: the people who run the server. Never what was asked or written. */
export interface ModelLog {
  warn(detail: object, message: string): void;
}

/**
 * Plans and writes by a language model. What fails before anything was written is tried once more; a limit is passed on.
 * @param log told of every failure.
 */
export function modelBackend(catalog: Catalog, protocol: ModelProtocol, log: ModelLog): Backend {
  const fails = (error: unknown, stage: 'plan' | 'write', started: boolean, signal: AbortSignal): ServiceError => {
    // Whoever ended the stage says why.
    if (signal.aborted) throw signal.reason;
    const told = serviceErrorOf(protocol, error, started);
    const failure = protocol.failureOf(error);
    log.warn(
      { model: protocol.name, stage, code: told.code, status: failure?.status ?? null },
      'a language model failed',
    );
    return told;
  };
  const again = async (told: ServiceError, tries: number, { signal }: Stage): Promise<void> => {
    if (tries > 0 || !isWorthAnother(told)) throw told;
    await wait(PAUSE_MS, undefined, { signal });
  };
  return {
    name: protocol.name,
    async plan(question, stage) {
      for (let tries = 0; ; tries++)
        try {
          return readPlan(catalog, question, await protocol.plan(question, stage));
        } catch (error) {
          await again(fails(error, 'plan', false, stage.signal), tries, stage);
        }
    },
    async *write(task, stage) {
      for (let tries = 0; ; tries++) {
        let started = false;
        let written = false;
        const pieces = (async function* () {
          for await (const piece of protocol.write(task, stage)) {
            started = true;
            yield piece;
          }
        })();
        try {
          for await (const sentence of sentencesOf(pieces)) {
            written = true;
            yield sentence;
          }
          // A stream that is cut off by its signal ends like one that is through.
          stage.signal.throwIfAborted();
          if (!written) throw incomplete();
          return;
        } catch (error) {
          const told = fails(error, 'write', started, stage.signal);
          if (written) throw told;
          await again(told, tries, stage);
        }
      }
    },
  };
}
