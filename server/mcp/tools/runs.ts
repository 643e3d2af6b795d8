import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { listRuns, RUN_LIMIT_MS, readRun, runStatus, submitRun } from '../../runs/operation.ts';
import { RunBody } from '../../runs/schema.ts';
import type { RunRow } from '../../state/runs/records.ts';
import { toolCall } from '../refused-call.ts';
import { shortText } from '../text.ts';
import { type Call, form, type Tool } from '../tool.ts';
import { LIST_KEYS, listForm } from './list-form.ts';

/** Milliseconds to wait for a run when the client asked for progress, and between two looks at it. */
const WAIT_MS = 60_000;
const LOOK_MS = 500;

const ReadBody = Type.Object({ run_id: Type.String() }, { additionalProperties: false });
/** The bodies of all forms in one. */
const RunsBody = Type.Object(
  {
    kind: Type.Optional(Type.String({ description: 'fetch_batch' })),
    request: Type.Optional(Type.Unknown({ description: 'Body of service_fetch_batch.' })),
    run_id: Type.Optional(Type.String()),
    list: Type.Optional(LIST_KEYS.list),
    cursor: LIST_KEYS.cursor,
  },
  { additionalProperties: false },
);

/** Reports the progress of a run until it ends or the time is over. @returns how it stands then. */
async function follow({ ctx, progress }: Call, id: string): Promise<RunRow> {
  const end = ctx.clock.now() + WAIT_MS;
  for (;;) {
    const run = await runStatus(ctx, id);
    progress.tell(run.done, run.total, `${run.done} of ${run.total} locations`);
    if (run.status === 'done' || run.status === 'failed' || ctx.clock.now() >= end) return run;
    await sleep(LOOK_MS, undefined, { signal: ctx.signal });
  }
}

/** POST /v1/runs and GET /v1/runs/{run_id}. */
export const runsTool: Tool = {
  name: 'runs',
  title: 'A batch in the background',
  remark: 'a call that asks for progress returns when the run is done',
  description: () =>
    'With kind and request (a body of service_fetch_batch): starts it and answers run_id; who asks for progress waits for its end. With run_id: its status and, when it is done, its result, free. With list: true all of them.',
  when: 'Thousands of places: {tool}.',
  readOnly: false,
  isCited: true,
  forms: [
    listForm({ schema: RunsBody, route: 'GET /v1/runs' }, listRuns),
    form({
      key: 'run_id',
      schema: RunsBody,
      judged: ReadBody,
      route: 'GET /v1/runs/{run_id}',
      limitMs: RUN_LIMIT_MS,
      async answer({ ctx }, body) {
        const { run_id: id } = body as { readonly run_id: string };
        const run = await readRun(ctx, id);
        const { done, total } = run.progress;
        return {
          structured: Buffer.from(run.text),
          text: shortText([`${id} is ${run.status}: ${done} of ${total} locations.`]),
        };
      },
    }),
    form({
      schema: RunsBody,
      judged: RunBody,
      route: 'POST /v1/runs',
      limitMs: RUN_LIMIT_MS + WAIT_MS,
      async answer(call, body) {
        const accepted = await submitRun(call.ctx, body as RunBody);
        const id = accepted.run_id;
        const beside = { next: toolCall('runs', { run_id: id }) };
        if (!call.progress.wanted)
          return {
            beside,
            structured: accepted,
            text: shortText([`${id} is ${accepted.status}; read it with its run_id.`]),
          };
        const { status, done, total } = await follow(call, id);
        const text = shortText([`${id} is ${status}: ${done} of ${total} locations; read it with its run_id.`]);
        return { beside, structured: { ...accepted, status }, text };
      },
    }),
  ],
};
