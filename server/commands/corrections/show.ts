import type { Command } from '../../../query/engine/command.ts';
import { visibleText } from '../../../query/format/plain-text.ts';
import { withState } from '../open-state.ts';

/** `plat corrections show`. */
export const correctionsShowCommand: Command = {
  name: 'corrections show',
  example: 'plat corrections show cor_7m3k5q2w4t6y2u5i3o4p2a6s7d',
  summary: 'Show one correction: what was answered, what it shall be, its evidence, and its steps',
  args: ['<correction>'],
  options: [],
  run: ([id], _options, terminal) =>
    withState(async state => {
      const row = await state.corrections.correction(id!);
      const told = row ? undefined : (await state.corrections.accepted()).find(one => one.correction_id === id);
      if (told) {
        const shown = { status: 'accepted', filed_by: null, ...told };
        terminal.out(visibleText(terminal.json ? JSON.stringify(shown) : JSON.stringify(shown, null, 2)));
        return 0;
      }
      if (!row) {
        terminal.err(`There is no correction ${id}: \`plat corrections list\` shows those there are`);
        return 1;
      }
      const [{ catalog }, { recordOf }] = await Promise.all([
        import('../../../datasets/catalog.ts'),
        import('../../corrections/reading.ts'),
      ]);
      const [filer] = await state.accountsOf([row.accountId]);
      const shown = {
        ...recordOf(catalog, row),
        filed_by: filer?.email ?? null,
        callback: row.callback,
        steps: (await state.corrections.events(row.id)).map(({ at, actor, from, to, reason }) => ({
          at: new Date(at).toISOString(),
          by: actor,
          from,
          to,
          reason,
        })),
      };
      // The words are a stranger's: some characters would move what a terminal shows.
      terminal.out(visibleText(terminal.json ? JSON.stringify(shown) : JSON.stringify(shown, null, 2)));
      return 0;
    }),
};
