import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, UsageError } from '../../../query/engine/command.ts';
import { requestOf, takeStep } from '../../field-requests/building/steps.ts';
import { onRequest, STEP_OPTIONS, signed, told } from './step.ts';

const LOOK_MS = 500;

/** `plat requests publish`. */
export const requestsPublishCommand: Command = {
  name: 'requests publish',
  example: 'plat requests publish fr_7m3k5q2w4t6y2u5i3o4p2a6s7d --by ada',
  summary: 'Wait until the running service answers an approved field at the example locations; only then it is live',
  args: ['<request>'],
  options: [
    { flags: '--wait <seconds>', description: 'Wait at most so long; the service goes on looking.', fallback: '600' },
    ...STEP_OPTIONS,
  ],
  run: ([id], options, terminal) =>
    onRequest(terminal, async state => {
      const seconds = Number(options.wait);
      if (!(seconds >= 0 && seconds <= 86_400))
        throw new UsageError('requests publish: expected --wait from 0 to 86400');
      const { publishingOf } = await import('../../field-requests/building/publishing-job.ts');
      const before = await requestOf(state, id!);
      const job = publishingOf(id!, before.accountId);
      // Once more for one that waits: the job that looked may have given up.
      if (before.status === 'publishing') await state.jobs.enqueue(job);
      else await takeStep(state, { ...signed(id!, options, 'publishing'), to: 'publishing', job });
      const until = Date.now() + seconds * 1000;
      let said = '';
      for (;;) {
        const row = await requestOf(state, id!);
        if (row.status !== 'publishing') {
          told(terminal, row);
          return row.status === 'live' ? 0 : 1;
        }
        const [newest] = await state.jobs.jobs({ kind: job.kind, key: id!, limit: 1 });
        const why = newest?.error ?? 'a server that works on jobs has not looked yet';
        if (newest?.status === 'failed' || Date.now() >= until) {
          terminal.err(`${id} is still publishing: ${why}`);
          return 1;
        }
        if (newest?.error && newest.error !== said) terminal.err(newest.error);
        said = newest?.error ?? said;
        await sleep(LOOK_MS);
      }
    }),
};
