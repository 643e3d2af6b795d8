import type { Ctx } from '../context.ts';
import { EVENTS_TIMEOUT } from '../errors/runs.ts';
import type { EventStream } from '../http/event-stream.ts';
import { Lease } from '../lease/lease.ts';

/** Milliseconds that a stream may be open. */
export const STREAM_MS = 15 * 60 * 1000;
/** Milliseconds between looks: where changes by other processes are not announced, and where they are. */
const LOOK_MS = 500;
const LOOK_HEARD_MS = 5_000;

/** Something that is followed to its end. */
export interface Followed {
  /** Told when it changes. */
  readonly topic: string;
  /** How it stands. @throws ServiceError where it is gone. */
  standing(): Promise<{ readonly status: string; readonly done: number; readonly total: number }>;
  /** The whole of it as JSON text. */
  text(): Promise<string>;
}

/** Sends `status` on every change, then `final` once with the whole. @throws as `standing`, before the stream opens. */
export async function follow(
  ctx: Ctx,
  { topic, standing, text }: Followed,
  stream: EventStream,
  streamMs = STREAM_MS,
): Promise<void> {
  const { changes } = ctx.state;
  let changed = false;
  let wake = () => {};
  const end = performance.now() + streamMs;
  const deaf = changes.listen(topic, () => {
    changed = true;
    wake();
  });
  const following = new Lease('signal', () => wake()).until(ctx.signal);
  try {
    for (let said = ''; !ctx.signal.aborted; ) {
      changed = false;
      const { status, done, total } = await standing();
      if (status === 'done' || status === 'failed') {
        stream.sendText('final', await text());
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
