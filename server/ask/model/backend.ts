import { setTimeout as wait } from 'node:timers/promises';
import type { Catalog } from '../../../datasets/catalog.ts';
import type { ServiceError } from '../../errors/registry.ts';
import type { Backend, Stage } from '../backend.ts';
import { incomplete, isWorthAnother, serviceErrorOf } from './failure.ts';
import { readPlan } from './plan-tool.ts';
import type { ModelProtocol } from './protocol.ts';
import { sentencesOf } from './sentences.ts';

/** Milliseconds before a failed model is asked again. */
const PAUSE_MS = 500;

/** The log of model failures, for the operators. It never holds a question or an answer. */
export interface ModelLog {
  warn(detail: object, message: string): void;
}

/**
 * Plans and writes with a language model. Failures before the first word are tried once more; rate limits are passed
 * on.
 * @param log receives every failure.
 */
export function modelBackend(catalog: Catalog, protocol: ModelProtocol, log: ModelLog): Backend {
  const fails = (error: unknown, stage: 'plan' | 'write', started: boolean, signal: AbortSignal): ServiceError => {
    // The reason of the abort says why the stage ended.
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
          // A stream that its signal cut off ends like a complete one.
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
