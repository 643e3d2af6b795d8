import { eventsOf } from '../../client/events.ts';
import type { ApiError } from '../api/api-error.ts';
import type { Failure } from '../api/error-words.ts';
import { send } from '../api/request.ts';

/** The state of a run. */
export interface Run {
  readonly run_id: string;
  readonly status: 'queued' | 'running' | 'done' | 'failed';
  readonly progress: { readonly done: number; readonly total: number };
  readonly created_at: string;
  readonly error: Failure | null;
}

/** Milliseconds before a broken stream is opened again. */
const AGAIN_MS = 2_000;

/**
 * Follows a run until it ends. A broken stream is opened again.
 * @param tell receives what changed.
 * @throws ApiError when the run cannot be read; AbortError.
 */
export async function followRun(id: string, tell: (run: Partial<Run>) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await send({ method: 'GET', path: `/v1/runs/${id}/events` }, signal);
      for await (const { event, data } of eventsOf(response.body!)) {
        if (event === 'status' || event === 'final') tell(data as Partial<Run>);
        if (event === 'final') return;
      }
    } catch (error) {
      if (signal.aborted || ((error as ApiError).status ?? 0) >= 400) throw error;
    }
    await new Promise(resolve => setTimeout(resolve, AGAIN_MS));
  }
}
