import { availableParallelism } from 'node:os';
import type { Command, Terminal } from '../../../query/engine/command.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import type { EvaluatedAnswer } from '../../field-requests/building/evaluation.ts';
import { requestOf, requireStep, takeStep } from '../../field-requests/building/steps.ts';
import type { FieldRequestRow } from '../../state/field-requests/row.ts';
import { onRequest, STEP_OPTIONS, signed, textOf, told } from './step.ts';

async function evaluated(row: FieldRequestRow, terminal: Terminal): Promise<EvaluatedAnswer[]> {
  const settings = readSettings(process.env);
  const [{ catalog }, { createEngine }, { buildOf }, { evaluate }] = await Promise.all([
    import('../../../datasets/catalog.ts'),
    import('../../../query/engine/engine.ts'),
    import('../../field-requests/building/build.ts'),
    import('../../field-requests/building/evaluation.ts'),
  ]);
  const engine = await createEngine({
    home: settings.home,
    workers: 1,
    queue: settings.queue,
    memoryMb: settings.memory,
    cores: availableParallelism(),
    // A command ends before anything could check its files in the background.
    inlineBytes: Number.POSITIVE_INFINITY,
    warn: message => terminal.err(message),
  });
  try {
    return await evaluate(engine, catalog, buildOf(row));
  } finally {
    await engine.close();
  }
}

const lineOf = ({ field, index, value, unit, claimed, verdict, why }: EvaluatedAnswer) =>
  `${verdict.padEnd(9)}  example ${index}  ${field}: ${why ?? `${value}${unit ? ` ${unit}` : ''}`}${claimed === null ? '' : `, claimed ${claimed}`}`;

/** `plat requests review`. */
export const requestsReviewCommand: Command = {
  name: 'requests review',
  example: 'plat requests review fr_7m3k5q2w4t6y2u5i3o4p2a6s7d --by ada',
  summary: 'Hand a built field request in for review once its frozen evaluation passes, or send it back with --changes',
  args: ['<request>'],
  options: [
    { flags: '--changes <text>', description: 'Send one that is in review back to be built: what must change.' },
    {
      flags: '--despite <text>',
      description: 'Hand it in although values differ from what was claimed: why that is right.',
    },
    ...STEP_OPTIONS,
  ],
  run: ([id], options, terminal) =>
    onRequest(terminal, async state => {
      const row = await requestOf(state, id!);
      const changes = textOf(options, 'changes');
      if (changes !== undefined) {
        const step = signed(row.id, options, changes);
        return told(terminal, await takeStep(state, { ...step, reason: changes, from: ['in_review'], to: 'building' }));
      }
      requireStep(row, 'in_review');
      const findings = await evaluated(row, terminal);
      for (const answer of findings) terminal.err(lineOf(answer));
      const failed = findings.filter(({ verdict }) => verdict === 'fails').length;
      const differ = findings.filter(({ verdict }) => verdict === 'differs').length;
      const despite = textOf(options, 'despite');
      if (failed > 0 || (differ > 0 && despite === undefined)) {
        terminal.err(
          failed > 0
            ? `The evaluation fails: ${failed} of ${findings.length} have no cited value. ${row.id} is still building.`
            : `${differ} of ${findings.length} differ from what was claimed: mend the field, or say --despite with why it is right. ${row.id} is still building.`,
        );
        return 1;
      }
      const reason = differ > 0 ? `evaluated; ${differ} differ from the claims: ${despite}` : 'evaluated';
      const step = signed(row.id, options, reason);
      return told(terminal, await takeStep(state, { ...step, to: 'in_review', build: { ...row.build, findings } }));
    }),
};
