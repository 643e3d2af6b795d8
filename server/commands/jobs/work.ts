import { availableParallelism } from 'node:os';
import { pino } from 'pino';
import { catalog } from '../../../datasets/catalog.ts';
import type { Command } from '../../../query/engine/command.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import { createAnswerCache } from '../../fetch/cache.ts';
import { configuredGeocoder } from '../../geocode/configured.ts';
import { createSafeClient } from '../../http/safe-client.ts';
import { JOB_KINDS } from '../../jobs/registry.ts';
import { workOnJobs } from '../../jobs/worker.ts';
import { configuredMailer } from '../../mail/configured.ts';
import { publicUrlOf } from '../../provider/embedded.ts';
import { openState } from '../../state/open.ts';

/** Resolves with the first SIGTERM or SIGINT, and keeps the process until then: nothing else that waits for jobs does. */
const termination = () =>
  new Promise<void>(resolve => {
    const kept = setInterval(() => {}, 60_000);
    const end = () => {
      clearInterval(kept);
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
  });

/** `plat work`: a server without HTTP. */
export const workCommand: Command = {
  name: 'work',
  summary: 'Work on jobs without answering HTTP, until it is told to stop',
  options: [],
  async run(_args, _options, terminal) {
    const stop = termination();
    const settings = readSettings(process.env);
    const logger = pino({ level: settings.log }, pino.destination({ dest: 2, sync: false }));
    const state = await openState(settings.home, settings.stateUrl, logger);
    try {
      const engine = await createEngine({
        home: settings.home,
        workers: settings.workers,
        queue: settings.queue,
        memoryMb: settings.memory,
        cores: availableParallelism(),
        warn: message => logger.error(message),
      });
      const geocoder = configuredGeocoder(settings, engine, state.geocodes);
      const cache = settings.fetchCache === 'on' ? createAnswerCache(Date) : null;
      const services = { engine, catalog, cache, clock: Date, geocoder, state, outliving: new Set<Promise<unknown>>() };
      const mailer = configuredMailer(settings, Date);
      const client = createSafeClient({ networks: settings.outgoingNetworks });
      const callbacks = { client, mailer, secret: settings.webhookSecret, publicUrl: publicUrlOf(settings) };
      const worker = workOnJobs({ ...services, callbacks, log: logger }, JOB_KINDS);
      terminal.err(`Working on jobs, release ${engine.status().release ?? 'none (run plat ingest run)'}`);
      await stop;
      await worker.stop(settings.drain);
      mailer.close();
      await engine.close();
    } finally {
      await state.close();
      logger.flush();
    }
    return 0;
  },
};
