import { Type } from 'typebox';
import { findOwnerParcels, findOwners, ownerParcelsText } from '../../owners/operation.ts';
import { isObject } from '../../search/body-reader.ts';
import { SEARCH_LIMIT_MS } from '../../search/operation.ts';
import { aggregateBytes, aggregateMatches, aggregateText } from '../../sets/aggregate.ts';
import { searchArea } from '../../sets/area.ts';
import { setServices } from '../../sets/area-source.ts';
import { countMatches } from '../../sets/count.ts';
import { explainSearch } from '../../sets/explain.ts';
import { rankBytes, rankMatches, rankText } from '../../sets/rank.ts';
import { similarBytes, similarMatches, similarText } from '../../sets/similar.ts';
import { textOf, valueText } from '../text.ts';
import { type Call, type Form, form, type Said, type Tool } from '../tool.ts';

/** The bodies of all operations in one: each checks its own, and tells what it takes. */
const SetsBody = Type.Object({
  operation: Type.Unsafe<string>({
    type: 'string',
    enum: ['count', 'rank', 'aggregate', 'areas', 'explain', 'similar', 'owners', 'owner_parcels'],
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
          'As of service_search; also op is_null, not_null (no value), starts_with, contains; or {near: the body of areas} alone.',
      },
    ),
  ),
  bound: Type.Optional(Type.Integer({ description: 'count: up to which.' })),
  order_by: Type.Optional(Type.Array(Type.Unknown(), { description: 'rank: 1-5 of {field, direction: asc|desc}.' })),
  score: Type.Optional(
    Type.Array(Type.Unknown(), {
      description: 'rank, instead: 1-10 of {field, weight, prefer: "high"|"low"|{near: number}}.',
    }),
  ),
  fields: Type.Optional(
    Type.Array(Type.String(), {
      description: 'rank: further outputs; similar: 1-20 names that parcels are compared by.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ description: 'rank, similar: 1-1000, default 20.' })),
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
  geometry: Type.Optional(
    Type.Unknown({ description: 'aggregate: whether cells have outlines; areas: GeoJSON Point, line or polygon.' }),
  ),
  stacked: Type.Optional(Type.Boolean()),
  lat: Type.Optional(Type.Number({ description: 'areas: about a point; or address, parcel_id or geometry.' })),
  lng: Type.Optional(Type.Number()),
  address: Type.Optional(Type.String()),
  parcel_id: Type.Optional(Type.String({ description: 'areas, explain (left out: why nothing matches), similar.' })),
  state: Type.Optional(Type.String({ description: 'owners: two letters.' })),
  county: Type.Optional(Type.String({ description: 'owners: FIPS code, five digits.' })),
  name: Type.Optional(Type.String({ description: 'owners: 3-128 letters.' })),
  match: Type.Optional(Type.String({ description: 'owners: prefix (default) or exact.' })),
  owner_id: Type.Optional(Type.String({ description: 'owner_parcels.' })),
  cursor: Type.Optional(Type.String({ description: 'owners, owner_parcels: next_cursor of the page before.' })),
  within_m: Type.Optional(Type.Number({ description: 'areas: 1-100000; or drive_minutes 1-120.' })),
  drive_minutes: Type.Optional(Type.Number()),
});

type Operation = (call: Call, body: unknown) => Promise<Said>;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  async areas({ ctx, services }, body) {
    const area = await searchArea(ctx, setServices(ctx, services), body);
    const { acres, vertices } = area;
    return { structured: area, text: textOf([`An area of ${acres} acres, ${vertices} vertices, for filters.`], 1) };
  },
  async count({ ctx, services }, body) {
    const counted = await countMatches(ctx, setServices(ctx, services), body);
    const { count, at_least: atLeast, outlines, unknown, warnings, per_filter: each } = counted;
    const head = `${atLeast ? 'At least ' : ''}${count} parcels on ${outlines} outlines; ${unknown} unknown.`;
    const lines = each.map(({ index, alone, without }) => `Filter ${index}: ${alone} alone; ${without} without it.`);
    return { structured: counted, text: textOf([head, ...warnings, ...lines], 1 + warnings.length + lines.length) };
  },
  async explain({ ctx, services }, body) {
    const explained = await explainSearch(ctx, setServices(ctx, services), body);
    const lines =
      'filters' in explained
        ? explained.filters.map(
            ({ index, value, passes, margin }) =>
              `Filter ${index}: ${valueText(value)} ${passes === null ? 'is not known to pass' : passes ? 'passes' : 'fails'}${margin === null ? '' : ` by ${margin}`}`,
          )
        : explained.relax.map(
            ({ index, value, matches }) =>
              `Filter ${index} ${value === null ? 'left out' : `at ${valueText(value)}`}: ${matches} parcels`,
          );
    const head = 'filters' in explained ? `Passes: ${explained.passes}.` : `${explained.count} parcels pass.`;
    return { structured: explained, text: textOf([head, ...lines], 1 + lines.length) };
  },
  async owners({ ctx, services }, body) {
    const answer = await findOwners(ctx, services.search, body);
    const lines = answer.owners.map(
      ({ owner_id: id, owner, parcels, acres, value_usd: value }) =>
        `${owner} (${id}): ${parcels} parcels, ${valueText(acres)} acres, ${valueText(value)} USD`,
    );
    const head = `${lines.length} owners; ${answer.status}, ${answer.completion_reason}.`;
    return { structured: answer, text: textOf([head, ...lines], 1 + lines.length) };
  },
  async owner_parcels({ ctx, services }, body) {
    const answer = await findOwnerParcels(ctx, services.search, body);
    const list = JSON.parse(answer.matches) as { parcel_id: string; apn: string | null }[];
    const lines = list.map(({ parcel_id: id, apn }) => `${id} (${apn ?? 'without number'})`);
    const head = `${lines.length} parcels; ${answer.status}, ${answer.completion_reason}.`;
    return { structured: Buffer.from(ownerParcelsText(answer)), text: textOf([head, ...lines], 1 + lines.length) };
  },
  async similar({ ctx, services }, body) {
    const alike = await similarMatches(ctx, setServices(ctx, services), body);
    const { matches, considered, absent, failed, warnings } = alike;
    const list = JSON.parse(matches) as { parcel_id: string; apn: string | null; distance: number; fields: object }[];
    const head = `${list.length} of ${considered} parcels; ${absent} lack a field, ${failed} failed.`;
    const lines = list.map(
      ({ parcel_id: id, apn, distance, fields }, i) =>
        `${i + 1}. ${id} (${apn ?? 'without number'}) at ${distance}: ${valueText(fields)}`,
    );
    return {
      structured: Buffer.from(similarText(alike)),
      text: textOf([head, ...warnings, ...lines], 1 + warnings.length + lines.length),
    };
  },
  async rank({ ctx, services }, body) {
    const ranked = await rankMatches(ctx, setServices(ctx, services), body);
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
  async aggregate({ ctx, services }, body) {
    const answer = await aggregateMatches(ctx, setServices(ctx, services), body);
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

/** The route that answers the same as an operation, and how it reckons what an answer takes. */
interface SetRoute {
  readonly route: string;
  readonly limitMs?: number;
  readonly answerBytes?: (body: unknown) => number;
}

const ROUTES: Readonly<Record<string, SetRoute>> = {
  rank: { route: 'POST /v1/rank', answerBytes: rankBytes },
  aggregate: { route: 'POST /v1/aggregate', answerBytes: aggregateBytes },
  areas: { route: 'POST /v1/areas' },
  explain: { route: 'POST /v1/search/explain' },
  similar: { route: 'POST /v1/similar', answerBytes: similarBytes },
  owners: { route: 'POST /v1/owners' },
  owner_parcels: { route: 'POST /v1/owners/parcels' },
  count: { route: 'POST /v1/search/count' },
};

/** The form of an operation. Whatever else is wrong is told by the operation itself. */
const formFor = (name: string, route: SetRoute): Form =>
  form({
    schema: SetsBody,
    unjudged: true,
    operation: name,
    limitMs: SEARCH_LIMIT_MS,
    ...route,
    shapes: body => isObject(body) && body.geometry === true,
    answer(call, body) {
      const { operation, ...own } = isObject(body) ? body : { operation: undefined };
      return OPERATIONS[name]!(call, operation === name ? own : { ...own, operation });
    },
  });

/** POST /v1/areas, /v1/search/count, /v1/search/explain, /v1/rank, /v1/similar and /v1/aggregate. */
export const setsTool: Tool = {
  name: 'sets',
  title: 'All parcels that pass filters: how many, the best, in groups; areas',
  description: () =>
    'Over all parcels that pass filters, not a page: count (how many, and what each filter costs), rank (the first by fields or by a weighted score), aggregate (sums, means, quantiles by city, cell, field or bins). explain (why a parcel passes or not; why nothing does), similar (parcels like one by fields), owners and owner_parcels (who owns how much by name, and where). areas makes the area within a distance or a drive of a place; a filter {near} takes the same. Free but for drives.',
  readOnly: true,
  // A body without an operation that is known is refused by the last.
  forms: Object.entries(ROUTES).map(([name, route]) => formFor(name, route)),
};
