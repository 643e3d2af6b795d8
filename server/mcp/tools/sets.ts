import { type TSchema, Type } from 'typebox';
import { nearestNames } from '../../../query/format/name/nearest-names.ts';
import { isWord, type WordOperation } from '../../operation/operation.ts';
import { OPERATIONS } from '../../operations/registry.ts';
import { isObject } from '../../search/body-reader.ts';
import { invalidSearch } from '../../search/operation.ts';
import { withoutOperation } from '../body.ts';
import { holdingsOf, withoutParcels } from '../holdings.ts';
import { toolCall } from '../refused-call.ts';
import { type Call, type Form, form, type Tool } from '../tool.ts';
import { EXPORT_KEYS, EXPORT_WORDS, EXPORTS_SAY, exportForms } from './export-forms.ts';
import { formTerms, operationAnswer } from './operation-answer.ts';

/** Said where owners are asked for and none can be known. */
const NO_OWNERS = 'No owners in this release: its parcels are published without them.';

const SETS = OPERATIONS.filter(isWord);

const WORDS: string[] = [...SETS.map(({ tool }) => tool.operation), ...EXPORT_WORDS];

const optional = (takes: Readonly<Record<string, TSchema>>) =>
  Object.fromEntries(Object.entries(takes).map(([key, schema]) => [key, Type.Optional(schema)]));

/** The bodies of all operations in one: each checks its own, and tells what it takes. Keys that several have stand here. */
const SetsBody = Type.Object({
  operation: Type.Unsafe<string>({
    type: 'string',
    enum: WORDS,
  }),
  filters: Type.Optional(
    Type.Array(
      Type.Object({
        field: Type.Optional(Type.String()),
        op: Type.Optional(Type.String()),
        value: Type.Optional(Type.Unknown()),
        near: Type.Optional(Type.Unknown()),
      }),
      {
        description:
          'As of service_search; also op is_null, not_null (no value), starts_with, contains, disagrees (of acreage: deed or county say otherwise); or {near: the body of areas} alone.',
      },
    ),
  ),
  fields: Type.Optional(
    Type.Array(Type.String(), {
      description: 'rank, export: outputs; similar: 1-20 to compare by.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ description: 'rank, similar: 1-1000, default 20.' })),
  geometry: Type.Optional(
    Type.Unknown({ description: 'aggregate: whether cells have outlines; areas: GeoJSON Point, line or polygon.' }),
  ),
  parcel_id: Type.Optional(Type.String({ description: 'areas, explain (left out: why nothing matches), similar.' })),
  cursor: Type.Optional(Type.String({ description: 'owners, owner_parcels: next_cursor of the page before.' })),
  ...optional(Object.assign({}, ...SETS.map(({ tool }) => tool.takes ?? {}), EXPORT_KEYS)),
});

/** Refuses a word that is none. Nothing of it is repeated. */
function noSuchOperation(word: string, requestId: string) {
  const nearest = nearestNames(word, WORDS);
  const hint = `${nearest.length > 0 ? `Nearest: ${nearest.join(', ')}. ` : ''}Expected one of ${WORDS.join(', ')}.`;
  return invalidSearch([{ path: 'operation', description: 'There is no such operation.', hint }], requestId);
}

/** What is said beside owners where no file of parcels has them: why there are none, and what does answer there. */
function ownersBeside({ ctx, services }: Call, body: unknown) {
  const { parcels, owners } = holdingsOf(ctx.engine, services.proximity.routing);
  if (owners || !parcels || ctx.release.isPast) return {};
  const county = isObject(body) && typeof body.county === 'string' ? { county: body.county } : {};
  return { warnings: [NO_OWNERS], next: toolCall('coverage', county) };
}

/** The form of an operation. Whatever else is wrong is told by the operation itself. */
const formFor = (operation: WordOperation): Form => {
  const { tool, judge, body: own } = operation;
  return form({
    ...formTerms(operation),
    schema: SetsBody,
    ...(judge === 'schema' ? { judged: own } : { unjudged: true }),
    operation: tool.operation,
    shapes: body => isObject(body) && body.geometry === true,
    async answer(call, body) {
      const { operation: word } = isObject(body) ? body : { operation: undefined };
      if (typeof word === 'string' && word !== tool.operation) throw noSuchOperation(word, call.ctx.requestId);
      const question = word === tool.operation ? withoutOperation(body) : body;
      const said = await operationAnswer(operation, call, question);
      return tool.operation.startsWith('owner') ? { ...said, beside: ownersBeside(call, body) } : said;
    },
  });
};

const [first, ...others] = SETS as [WordOperation, ...WordOperation[]];

/** The operations over all parcels that pass filters, each by its word. */
export const setsTool: Tool = {
  name: 'sets',
  title: 'All parcels that pass filters: how many, the best, in groups; areas',
  remark: 'by `operation`',
  description: () =>
    `Over all parcels that pass filters, not a page: ${SETS.map(({ tool }) => `${tool.operation} (${tool.says})`).join(', ')}, ${EXPORTS_SAY}. Free but for drives and what names credits, and fetch fields of exports.`,
  lack: holdings =>
    withoutParcels(holdings) ??
    ([...(holdings.roads ? [] : ['No drive_minutes in this release.']), ...(holdings.owners ? [] : [NO_OWNERS])].join(
      ' ',
    ) ||
      null),
  when: 'How many, the best, sums and shares over all parcels that pass filters, and areas about a place: {tool}.',
  readOnly: false,
  isMapped: true,
  // A body without an operation that is known is refused by the last.
  forms: [...exportForms(SetsBody), ...[...others, first].map(formFor)],
};
