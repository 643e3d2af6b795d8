import type { Ctx } from '../context.ts';
import type { EventStream } from '../http/event-stream.ts';
import { follow, STREAM_MS } from '../jobs/follower.ts';
import { runTopic } from '../state/runs/records.ts';
import { readRun, runStatus } from './operation.ts';

/**
 * GET /v1/runs/{run_id}/events: sends `status` on every change, then `final` once with the whole run.
 * @throws ServiceError run_not_found, before the stream opens.
 */
export const followRun = (ctx: Ctx, id: string, stream: EventStream, streamMs = STREAM_MS): Promise<void> =>
  follow(
    ctx,
    {
      topic: runTopic(id),
      standing: () => runStatus(ctx, id),
      text: async () => (await readRun(ctx, id)).text,
    },
    stream,
    streamMs,
  );
