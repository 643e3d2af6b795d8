import { type ApiError, send } from '../api/request.ts';

/** The state of a run. */
export interface Run {
  readonly run_id: string;
  readonly status: 'queued' | 'running' | 'done' | 'failed';
  readonly progress: { readonly done: number; readonly total: number };
  readonly created_at?: string;
  readonly error?: { readonly message: string } | null;
}

/** Milliseconds before a broken stream is opened again. */
const AGAIN_MS = 2_000;

/** Reads the events of a stream of server-sent events. */
async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<{ event: string; data: unknown }> {
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader() as ReadableStreamDefaultReader<string>;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += value;
    const frames = rest.split('\n\n');
    rest = frames.pop()!;
    for (const frame of frames) {
      const lines = frame.split('\n');
      const of = (name: string) =>
        lines
          .filter(line => line.startsWith(`${name}:`))
          .map(line => line.slice(name.length + 1).trimStart())
          .join('\n');
      if (of('data') !== '') yield { event: of('event'), data: JSON.parse(of('data')) };
    }
  }
}

/**
 * Follows a run until it ends. A broken stream is opened again.
 * @param tell receives what changed.
 * @throws ApiError when the run cannot be read; AbortError.
 */
export async function followRun(id: string, tell: (run: Partial<Run>) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await send({ method: 'GET', path: `/v1/runs/${id}/events` }, signal);
      for await (const { event, data } of framesOf(response.body!)) {
        if (event === 'status' || event === 'final') tell(data as Partial<Run>);
        if (event === 'final') return;
      }
    } catch (error) {
      if (signal.aborted || ((error as ApiError).status ?? 0) >= 400) throw error;
    }
    await new Promise(resolve => setTimeout(resolve, AGAIN_MS));
  }
}
