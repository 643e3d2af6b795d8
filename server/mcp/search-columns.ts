import type { Ctx } from '../context.ts';
import { isObject } from '../search/body-reader.ts';
import { lackOf } from '../search/searched-release.ts';

/** Columns of a page that are described; a body may name more, which no model reads. */
const MOST_COLUMNS = 60;
/** Sources of a column that are named. */
const MOST_SOURCES = 3;

/** A column of a page, told once for all matches. */
export interface Column {
  readonly unit?: string;
  /** Sources with their vintages. */
  readonly source?: string;
  /** Why no parcel has a value of it. */
  readonly lack?: string;
}

/** The names that a search compares and shows. @param body that was answered. */
function namesIn(body: unknown): string[] {
  const { filters, fields } = isObject(body) ? body : {};
  const compared = Array.isArray(filters) ? filters.map(filter => (isObject(filter) ? filter.field : null)) : [];
  const names = [...compared, ...(Array.isArray(fields) ? fields : [])].filter(name => typeof name === 'string');
  return [...new Set(names)].slice(0, MOST_COLUMNS);
}

/** The states that filters choose and the release has no parcels of. */
function statesLacking({ engine }: Ctx, body: unknown): string[] {
  const { filters } = isObject(body) ? body : {};
  const chosen = (Array.isArray(filters) ? filters : []).flatMap(filter =>
    isObject(filter) && (filter.field === 'state' || filter.field === 'state2') ? [filter.value].flat() : [],
  );
  const held = new Set(engine.installed().flatMap(({ dataset, state }) => (dataset === 'parcel_store' ? [state] : [])));
  return [...new Set(chosen.map(String))].filter(state => !held.has(state)).slice(0, MOST_SOURCES);
}

/** The part of a slim page beside its matches: source and vintage of each column, and the notices of the filters. */
export function columnsBeside(ctx: Ctx, body: unknown, notices: readonly string[]) {
  const availability = ctx.release.isPast ? null : ctx.engine.availability();
  const columns = namesIn(body).map(name => {
    const sources = availability?.sourcesOf(name) ?? [];
    const cited = [...new Set(sources.map(({ source, vintage }) => `${source} ${vintage}`))].slice(0, MOST_SOURCES);
    const unit = ctx.catalog.fields.get(name)?.unit;
    const lack = lackOf(ctx, name, null);
    const column: Column = {
      ...(unit ? { unit } : {}),
      ...(cited.length > 0 ? { source: cited.join('; ') } : {}),
      ...(lack === null ? {} : { lack }),
    };
    return [name, column] as const;
  });
  const states = ctx.release.isPast ? [] : statesLacking(ctx, body);
  const warnings = [...states.map(state => `This release has no parcels of ${state}.`), ...notices];
  return { columns: Object.fromEntries(columns), ...(warnings.length > 0 ? { warnings } : {}) };
}
