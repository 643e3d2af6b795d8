import { dirname, resolve } from 'node:path';
import { type Command, UsageError } from '../../../query/engine/command.ts';
import type { Ticket } from '../../field-requests/building/scaffold.ts';
import { requestOf, requireStep, takeStep } from '../../field-requests/building/steps.ts';
import type { KeptBody } from '../../field-requests/schema.ts';
import type { FieldRequestRow } from '../../state/field-requests/row.ts';
import { onRequest, STEP_OPTIONS, signed, textOf } from './step.ts';

const NAME = /^[a-z][a-z0-9_]*$/;

/** The asks that are to be built, each with its field. @throws UsageError unless there is one name for each. */
function fieldsOf({ disposition }: FieldRequestRow, given: string | undefined): ReadonlyMap<string, string> {
  const asks = disposition.filter(entry => entry.disposition === 'accepted_new').map(({ ask }) => ask);
  const names = (given ?? '').split(',').filter(name => name !== '');
  if (names.length !== asks.length || new Set(names).size !== names.length || !names.every(name => NAME.test(name)))
    throw new UsageError(
      `requests build: expected --field with ${asks.length} different catalog ${asks.length === 1 ? 'name' : 'names, by commas'}, for: ${asks.join('; ')}`,
    );
  return new Map(names.map((name, i) => [name, asks[i]!]));
}

function wanted(options: Readonly<Record<string, unknown>>, name: string, pattern: RegExp, expected: string): string {
  const value = options[name];
  if (typeof value !== 'string' || !pattern.test(value))
    throw new UsageError(`requests build: expected --${name} with ${expected}`);
  return value;
}

/** `plat requests build`. */
export const requestsBuildCommand: Command = {
  name: 'requests build',
  example:
    'plat requests build fr_7m3k5q2w4t6y2u5i3o4p2a6s7d --dataset usgs_wells --field nearest_well_distance_m --by ada',
  summary:
    'Begin to build a claimed field request: writes a dataset file, a place file and a frozen evaluation to work from',
  args: ['<request>'],
  options: [
    { flags: '--dataset <id>', description: 'Dataset of the new field, such as town_sewers; a new one gets its file.' },
    { flags: '--field <names>', description: 'Catalog names of the new fields, by commas, one for each ask.' },
    { flags: '--state <code>', description: 'State of the first place that is ingested, two letters.' },
    { flags: '--county <fips>', description: 'Its county, five digits.' },
    { flags: '--out <folder>', description: 'The checkout that is built in.', fallback: '.' },
    ...STEP_OPTIONS,
  ],
  run: ([id], options, terminal) =>
    onRequest(terminal, async state => {
      const row = await requestOf(state, id!);
      requireStep(row, 'building', ['claimed']);
      const dataset = wanted(options, 'dataset', NAME, 'a name in snake case');
      const ticket: Ticket = {
        row,
        body: (await state.fieldRequests.body<KeptBody>(row.id))!,
        dataset,
        fields: fieldsOf(row, textOf(options, 'field')),
        place: dataset.replaceAll('_', '-'),
        state: wanted(options, 'state', /^[A-Z]{2}$/, 'two capital letters'),
        county: wanted(options, 'county', /^\d{5}$/, 'five digits'),
      };
      const [{ catalog }, { datasetText, digestOf, evaluationText, pathsOf, placeText, writeNew }] = await Promise.all([
        import('../../../datasets/catalog.ts'),
        import('../../field-requests/building/scaffold.ts'),
      ]);
      const paths = pathsOf(resolve(String(options.out)), ticket);
      const evaluation = evaluationText(ticket);
      const exists = catalog.datasets.has(dataset);
      const files = new Map([
        ...(exists ? [] : ([[paths.dataset, datasetText(ticket)]] as const)),
        [paths.place, placeText(ticket)],
        [paths.evaluation, evaluation],
      ]);
      const undo = writeNew(files);
      const build = {
        ...row.build,
        dataset,
        fields: [...ticket.fields.keys()],
        folder: dirname(paths.evaluation),
        frozen: digestOf(evaluation),
      };
      await takeStep(state, {
        ...signed(row.id, options, 'scaffolded'),
        from: ['claimed'],
        to: 'building',
        build,
      }).catch((error: unknown) => {
        undo();
        throw error;
      });
      if (terminal.json)
        terminal.out(JSON.stringify({ request_id: row.id, status: 'building', files: [...files.keys()] }));
      else for (const path of files.keys()) terminal.out(path);
      if (exists) terminal.err(`${dataset} is there already: its new fields go into datasets/products`);
      return 0;
    }),
};
