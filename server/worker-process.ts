import { availableParallelism } from 'node:os';
import { catalog } from '../datasets/catalog.ts';
import { createEngine } from '../query/engine/engine.ts';
import { memoryShares } from '../query/engine/memory/memory-shares.ts';
import type { Settings } from '../query/engine/settings.ts';
import { createAnswerCache } from './answer-cache.ts';
import { keptSecret } from './auth/secret.ts';
import { exportThreads } from './exports/threads.ts';
import { configuredGeocoder } from './geocoder/configured.ts';
import { JOB_KINDS } from './job-kinds.ts';
import { workOnJobs } from './jobs/worker.ts';
import { startLanguage } from './language/threads.ts';
import { batchGate } from './lease/gate.ts';
import { configuredMailer } from './mail/configured.ts';
import { createMailLinks } from './mail/links.ts';
import { publicUrlOf } from './public-url.ts';
import { serverLog } from './server-log.ts';
import { openState, requireSecrets } from './state/open.ts';
import { configuredTracer } from './trace/configured.ts';
import { createSafeClient } from './upstream/safe-client.ts';

const MEGABYTE = 1024 * 1024;

/**
 * Runs jobs in a process without HTTP.
 * @param started is told the release that it works with.
 * @param stop settles when running jobs are to finish and no more may start.
 */
export async function workUntil(
  settings: Settings,
  started: (release: string | null) => void,
  stop: Promise<void>,
): Promise<void> {
  requireSecrets(settings, ['tokenSecret']);
  const shares = memoryShares(settings.memory, settings.workers);
  const logger = serverLog(settings);
  const tracer = await configuredTracer(process.env, (detail, message) => logger.warn(detail, message));
  const state = await openState(settings.home, settings.stateUrl, logger);
  try {
    const engine = await createEngine({
      home: settings.home,
      workers: settings.workers,
      queue: settings.queue,
      memoryMb: shares.workerMb,
      servingMb: shares.servingMb,
      cores: availableParallelism(),
      warn: message => logger.error(message),
    });
    const geocoder = configuredGeocoder(settings, engine, state.geocodes);
    const cache = settings.fetchCache === 'on' ? createAnswerCache(Date, shares.responsesMb * MEGABYTE) : null;
    const outliving = new Set<Promise<unknown>>();
    const batches = batchGate(settings.workers);
    const threads = startLanguage(null, message => logger.error(message));
    const { language } = threads;
    const { home } = settings;
    const services = { engine, catalog, cache, clock: Date, geocoder, state, outliving, language, home, batches };
    const mailer = configuredMailer(settings, Date);
    const client = createSafeClient({ networks: settings.outgoingNetworks });
    const publicUrl = publicUrlOf(settings);
    const mailLinks = createMailLinks(settings.tokenSecret ?? keptSecret(settings.home, 'token'), publicUrl);
    const callbacks = { client, mailer, mailLinks, secret: settings.webhookSecret, publicUrl };
    const worker = workOnJobs({ ...services, callbacks, log: logger, tracer }, JOB_KINDS);
    started(engine.status().release);
    await stop;
    await worker.stop(settings.drain);
    await tracer.close();
    mailer.close();
    await exportThreads(catalog).close();
    await threads.close();
    await engine.close();
  } finally {
    await state.close();
    logger.flush();
  }
}
