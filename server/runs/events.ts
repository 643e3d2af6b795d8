import type { Ctx } from '../context.ts';
import { EVENTS_TIMEOUT } from '../errors/runs.ts';
import type { EventStream } from '../http/event-stream.ts';
import { Lease } from '../lease/lease.ts';
import { runTopic } from '../state/runs/records.ts';
import { readRun, runStatus } from './operation.ts';

/** Milliseconds that a stream may be open. */
export const STREAM_MS = 15 * 60 * 1000;
/** Milliseconds between looks: where changes by other processes are not announced, and where they are. */
const LOOK_MS = 500;
const LOOK_HEARD_MS = 5_000;

/**
 * GET /v1/runs/{run_id}/events: sends `status` on every change, then `final` once with the whole run.
 * @throws ServiceError run_not_found, before the stream opens.
 */
export async function followRun(ctx: Ctx, id: string, stream: EventStream, streamMs = STREAM_MS): Promise<void> {
  const { changes } = ctx.state;
  let changed = false;
  let wake = () => {};
  const end = performance.now() + streamMs;
  const deaf = changes.listen(runTopic(id), () => {
    changed = true;
    wake();
  });
  const following = new Lease('signal', () => wake()).until(ctx.signal);
  try {
    for (let said = ''; !ctx.signal.aborted; ) {
      changed = false;
      const { status, done, total } = await runStatus(ctx, id);
      if (status === 'done' || status === 'failed') {
        stream.sendText('final', (await readRun(ctx, id)).text);
        return;
      }
      const now = JSON.stringify({ status, progress: { done, total } });
      if (now !== said) stream.send('status', JSON.parse(now));
      said = now;
      const left = end - performance.now();
      if (left <= 0) {
        stream.send('error', EVENTS_TIMEOUT);
        return;
      }
      if (changed || ctx.signal.aborted) continue;
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, Math.min(left, changes.acrossProcesses ? LOOK_HEARD_MS : LOOK_MS));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    following.release();
    deaf();
  }
}
