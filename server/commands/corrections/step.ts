import type { Option, Terminal } from '../../../query/engine/command.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import { layCorrections } from '../../corrections/overlay.ts';
import { type CorrectionStanding, StepRefused } from '../../corrections/review.ts';
import { ServiceError } from '../../errors/registry.ts';
import { ShapeError } from '../../http/shape.ts';
import { commandLine } from '../../state/audit.ts';
import type { StateStore } from '../../state/store.ts';
import { withState } from '../open-state.ts';

/** Option for the reviewer's name, which every step records. */
export const BY_OPTION: Option = {
  flags: '--by <name>',
  description: 'Name of the reviewer. Without it, the user of the machine who runs the command.',
};

type Given = Readonly<Record<string, string | boolean | undefined>>;

/** A flag's text; undefined when it was not given or is blank. */
export const textOf = (options: Given, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

/** Record of a step: who took it, why and when. */
export const signed = (id: string, options: Given, reason: string) => ({
  id,
  by: textOf(options, 'by') ?? commandLine(),
  reason: textOf(options, 'reason') ?? reason,
  now: Date.now(),
});

/**
 * Takes a step, brings the list of corrections to the home, and says where the correction is now; a step that may not be taken is one
 * line, exit code 1.
 */
export async function takenStep(
  terminal: Terminal,
  step: (state: StateStore) => Promise<CorrectionStanding>,
): Promise<number> {
  try {
    const { id, status } = await withState(async state => {
      const row = await step(state);
      const { home } = readSettings(process.env);
      // The step is taken by now, whatever becomes of the list here.
      await layCorrections(state, home).catch((error: unknown) =>
        terminal.err(
          `The list of corrections here could not be written (${(error as Error).message}): servers write their own within ten seconds`,
        ),
      );
      return row;
    });
    terminal.out(terminal.json ? JSON.stringify({ correction_id: id, status }) : `${id} is ${status}`);
    return 0;
  } catch (error) {
    if (![StepRefused, ServiceError, ShapeError].some(kind => error instanceof kind)) throw error;
    const { message } = error as Error;
    if (terminal.json) terminal.out(JSON.stringify({ error: 'step_refused', message }));
    terminal.err(message);
    return 1;
  }
}
