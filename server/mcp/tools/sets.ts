import { Type } from 'typebox';
import { isObject } from '../../search/body-reader.ts';
import { SEARCH_LIMIT_MS } from '../../search/operation.ts';
import { aggregateBytes, aggregateMatches, aggregateText } from '../../sets/aggregate.ts';
import { countMatches } from '../../sets/count.ts';
import { rankBytes, rankMatches, rankText } from '../../sets/rank.ts';
import { textOf, valueText } from '../text.ts';
import { type Call, type Form, form, type Said, type Tool } from '../tool.ts';

/** The bodies of all operations in one: each checks its own, and tells what it takes. */
const SetsBody = Type.Object({
  operation: Type.Unsafe<string>({ type: 'string', enum: ['count', 'rank', 'aggregate'] }),
  filters: Type.Array(Type.Object({ field: Type.String(), op: Type.String(), value: Type.Optional(Type.Unknown()) }), {
    description: 'As of service_search; also op is_null, not_null (no value), starts_with, contains.',
  }),
  bound: Type.Optional(Type.Integer({ description: 'count: up to which.' })),
  order_by: Type.Optional(Type.Array(Type.Unknown(), { description: 'rank: 1-5 of {field, direction: asc|desc}.' })),
  score: Type.Optional(
    Type.Array(Type.Unknown(), {
      description: 'rank, instead: 1-10 of {field, weight, prefer: "high"|"low"|{near: number}}.',
    }),
  ),
  fields: Type.Optional(Type.Array(Type.String(), { description: 'rank: further outputs.' })),
  limit: Type.Optional(Type.Integer({ description: 'rank: 1-1000, default 20.' })),
  group_by: Type.Optional(
    Type.Array(Type.Unknown(), {
      description: 'aggregate: 0-3 of a name, "county", "city", "zip", {h3: 4-10}, {bins: name, edges: [numbers]}.',
    }),
  ),
  measures: Type.Optional(
    Type.Array(Type.Unknown(), {
      description: 'aggregate: 1-20 of {op: count|sum|mean|min|max|quantile, field, q}.',
    }),
  ),
  min_count: Type.Optional(Type.Integer()),
  geometry: Type.Optional(Type.Boolean()),
  stacked: Type.Optional(Type.Boolean()),
});

/** An operation of the tool, and what the route that answers the same says of itself. */
interface Operation {
  readonly route: string;
  readonly answerBytes?: (body: unknown) => number;
  answer(call: Call, body: unknown): Promise<Said>;
}

const count: Operation = {
  route: 'POST /v1/search/count',
  async answer({ ctx, services }, body) {
    const counted = await countMatches(ctx, services.search, body);
    const { count, at_least: atLeast, outlines, unknown, warnings, per_filter: each } = counted;
    const head = `${atLeast ? 'At least ' : ''}${count} parcels on ${outlines} outlines; ${unknown} unknown.`;
    const lines = each.map(({ index, alone, without }) => `Filter ${index}: ${alone} alone; ${without} without it.`);
    return { structured: counted, text: textOf([head, ...warnings, ...lines], 1 + warnings.length + lines.length) };
  },
};

const rank: Operation = {
  route: 'POST /v1/rank',
  answerBytes: rankBytes,
  async answer({ ctx, services }, body) {
    const ranked = await rankMatches(ctx, services.search, body);
    const { matches, considered, absent, failed, warnings } = ranked;
    const list = JSON.parse(matches) as { parcel_id: string; apn: string | null; criteria: object; score?: number }[];
    const head = `${list.length} of ${considered} parcels; ${absent} lack a criterion, ${failed} failed.`;
    const lines = list.map(
      ({ parcel_id: id, apn, score, criteria }, i) =>
        `${i + 1}. ${id} (${apn ?? 'without number'})${score === undefined ? '' : ` score ${score}`}: ${valueText(criteria)}`,
    );
    return {
      structured: Buffer.from(rankText(ranked)),
      text: textOf([head, ...warnings, ...lines], 1 + warnings.length + lines.length),
    };
  },
};

const aggregate: Operation = {
  route: 'POST /v1/aggregate',
  answerBytes: aggregateBytes,
  async answer({ ctx, services }, body) {
    const answer = await aggregateMatches(ctx, services.search, body);
    const { outline, considered, failed, warnings } = answer;
    const { count, first } = outline;
    const head = `${count} groups of ${considered} parcels; ${failed} failed.`;
    const lines = first.map(
      ({ key, count: parcels, small, measures }) =>
        `${valueText(key)}: ${parcels}${small ? ' (small)' : ''}; ${measures.map(({ value }) => valueText(value)).join('; ')}`,
    );
    return {
      structured: Buffer.from(aggregateText(answer)),
      text: textOf([head, ...warnings, ...lines], 1 + warnings.length + count),
    };
  },
};

/** The form of an operation. Whatever else is wrong is told by the operation itself. */
const formFor = (name: string, { route, answerBytes, answer }: Operation): Form =>
  form({
    schema: SetsBody,
    unjudged: true,
    operation: name,
    route,
    ...(answerBytes ? { answerBytes } : {}),
    limitMs: SEARCH_LIMIT_MS,
    answer(call, body) {
      const { operation, ...own } = isObject(body) ? body : { operation: undefined };
      return answer(call, operation === name ? own : { ...own, operation });
    },
  });

/** POST /v1/search/count, POST /v1/rank and POST /v1/aggregate. */
export const setsTool: Tool = {
  name: 'sets',
  title: 'All parcels that pass filters: how many, the best, in groups',
  description: () =>
    'Over all parcels that pass filters, not a page: count (how many, and what each filter costs), rank (the first by fields or by a weighted score), aggregate (sums, means, quantiles by city, cell, field or bins). Free.',
  readOnly: true,
  // A body without an operation that is known is refused by the last.
  forms: [formFor('rank', rank), formFor('aggregate', aggregate), formFor('count', count)],
};
