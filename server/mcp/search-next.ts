import { isObject, type JsonObject } from '../search/body-reader.ts';
import { again, catalogFor, listOf, type NextCall, type Refused, toolCall, without } from './refused-call.ts';
import { PREFIX } from './tool.ts';

/** Names of a body that its issues are about: `filters[1].field`, `fields[0]`. */
function namesAt({ req }: Refused, paths: readonly string[]): string[] {
  return paths.flatMap(path => {
    let value: unknown = req;
    for (const key of path.match(/\w+/g) ?? []) value = (value as JsonObject | null | undefined)?.[key];
    return typeof value === 'string' ? [value] : [];
  });
}

const METRES: Readonly<Record<string, number>> = {
  within_m: 1,
  radius_m: 1,
  distance_m: 1,
  meters: 1,
  radius_km: 1_000,
  within_km: 1_000,
  within_miles: 1_609.344,
  radius_miles: 1_609.344,
  radius: 1,
  distance: 1,
};

/** States that a search may be meant for where it names none: those of a larger release are a choice. */
const MOST_STATES = 3;

const isOfState = (filter: unknown): boolean =>
  isObject(filter) && (filter.field === 'state' || filter.field === 'state2');

/** Filters with one on the state: that which stands beside them, otherwise all states of the release; null where they are many. */
function withState(filters: readonly unknown[], said: unknown, states: readonly string[]): readonly unknown[] | null {
  if (filters.some(isOfState)) return filters;
  if (typeof said === 'string' && /^[a-z]{2}$/i.test(said))
    return [{ field: 'state', op: 'eq', value: said.toUpperCase() }, ...filters];
  if (states.length === 0 || states.length > MOST_STATES) return null;
  return [{ field: 'state', op: 'in', value: states }, ...filters];
}

/** The area that a search was asked for outside its filters; null where its parts do not make one. */
function nearIn(req: JsonObject): JsonObject | null {
  const inside = isObject(req.near) ? req.near : {};
  const all: JsonObject = { ...req, ...inside };
  const [unit] = Object.keys(METRES).filter(key => typeof all[key] === 'number');
  const place = ['lat', 'lng', 'address', 'parcel_id', 'geometry'].filter(key => all[key] !== undefined);
  if (unit === undefined || place.length === 0) return null;
  const within_m = (all[unit] as number) * METRES[unit]!;
  return { ...Object.fromEntries(place.map(key => [key, all[key]])), within_m };
}

const ORDERS = ['order_by', 'sort', 'sort_by', 'order'];
const PLACES = ['near', 'lat', 'lng', 'address', 'parcel_id', 'geometry', ...Object.keys(METRES)];

/** The fields by which a search was asked to sort, as a rank takes them. */
function orderIn(req: JsonObject): readonly object[] {
  const given = ORDERS.flatMap(key => (req[key] === undefined ? [] : [req[key]].flat()));
  return given.flatMap(one => {
    if (isObject(one)) {
      const { field, direction = one.order ?? one.dir ?? 'asc' } = one;
      return typeof field === 'string' ? [{ field, direction }] : [];
    }
    const [, minus, field, direction] = /^(-?)(\w+)(?:\s+(asc|desc))?$/i.exec(String(one)) ?? [];
    return field === undefined ? [] : [{ field, direction: direction?.toLowerCase() ?? (minus ? 'desc' : 'asc') }];
  });
}

/** The call of a set for parcels about a place or in an order, which a search does not do. */
function rankFor({ req, states }: Refused): NextCall | null {
  const filters = withState(listOf(req.filters), req.state, states);
  if (filters === null) return null;
  const hasNear = filters.some(filter => isObject(filter) && Object.hasOwn(filter, 'near'));
  const asks = [...ORDERS, ...PLACES].some(key => Object.hasOwn(req, key));
  if (!hasNear && !asks) return null;
  const near = nearIn(req);
  if (!near && !hasNear && PLACES.some(key => Object.hasOwn(req, key))) return null;
  const order = orderIn(req);
  const { fields, limit } = req;
  return toolCall('sets', {
    operation: 'rank',
    filters: near ? [...filters, { near }] : filters,
    order_by: order.length > 0 ? order : [{ field: 'acreage', direction: 'desc' }],
    ...(fields === undefined ? {} : { fields }),
    ...(limit === undefined ? {} : { limit }),
  });
}

/** A question about a set in its own keys: an order, a reach or groups that were asked for as other services take them. */
function asSetsTake(refused: Refused): NextCall | null {
  const { req } = refused;
  if (req.operation === 'rank') {
    const order = orderIn(req);
    const { order_by: own } = req;
    const isOwn = Array.isArray(own) && own.every(isObject) && ORDERS.every(key => key === 'order_by' || !(key in req));
    return order.length === 0 || isOwn ? null : again(refused, { ...without(req, ...ORDERS), order_by: order });
  }
  if (req.operation === 'areas') {
    const near = req.within_m === undefined ? nearIn(req) : null;
    return near && again(refused, { operation: 'areas', ...near });
  }
  if (req.operation !== 'aggregate') return null;
  const { group_by: groups, measures } = req;
  const own = {
    ...(typeof groups === 'string' ? { group_by: [groups] } : {}),
    ...(listOf(measures).includes('count') || measures === 'count' ? { measures: [{ op: 'count' }] } : {}),
  };
  return Object.keys(own).length === 0 ? null : again(refused, { ...req, ...own });
}

/** Operators as other languages write them. */
const OPERATORS: Readonly<Record<string, string>> = {
  ...{
    '=': 'eq',
    '==': 'eq',
    equals: 'eq',
    equal: 'eq',
    is: 'eq',
    '!=': 'ne',
    '<>': 'ne',
    not_equals: 'ne',
    neq: 'ne',
  },
  ...{ '>': 'gt', greater_than: 'gt', above: 'gt', '>=': 'gte', ge: 'gte', min: 'gte', at_least: 'gte' },
  ...{ '<': 'lt', less_than: 'lt', below: 'lt', '<=': 'lte', le: 'lte', max: 'lte', at_most: 'lte' },
};
const NUMBER = /^-?\d+(?:\.\d+)?$/;

const asNumber = (value: unknown): unknown => (typeof value === 'string' && NUMBER.test(value) ? Number(value) : value);

/** A filter as it is meant: its operator in the words of a search, its numbers without quotes. */
function mended(filter: unknown, wrong: ReadonlySet<string>): unknown {
  if (!isObject(filter)) return filter;
  const { op, value } = filter;
  const meant = wrong.has('op') ? (OPERATORS[String(op).toLowerCase()] ?? op) : op;
  // Beside an operator that is none the value was not judged.
  const isNumber = wrong.has('value') || (wrong.has('op') && /^[gl]te?$/.test(String(meant)));
  return {
    ...filter,
    op: meant,
    ...(isNumber ? { value: Array.isArray(value) ? value.map(asNumber) : asNumber(value) } : {}),
  };
}

/** The body with filters as they are meant, where that is all that is wrong with it. */
function refiltered(refused: Refused): NextCall | null {
  const { req, states, context } = refused;
  const inside = isObject(req.search) ? req.search : req;
  const issues = listOf(context.issues) as readonly { readonly path: string; readonly hint: string }[];
  const wrong = new Map<number, Set<string>>();
  const beside: string[] = [];
  for (const { path, hint } of issues) {
    const [, at, key] = /^(?:search\.)?filters\[(\d+)\]\.(op|value)$/.exec(path) ?? [];
    if (at !== undefined) wrong.set(Number(at), (wrong.get(Number(at)) ?? new Set()).add(key!));
    else if (hint.startsWith('It is a filter field') && isShort(inside[path])) beside.push(path);
    else if (!/^(?:search\.)?filters$/.test(path)) return null;
  }
  const named = beside.filter(key => key !== 'state').map(field => ({ field, op: 'eq', value: inside[field] }));
  const own = listOf(inside.filters).map((filter, i) => mended(filter, wrong.get(i) ?? new Set()));
  const filters = withState([...own, ...named], inside.state, states);
  if (filters === null || JSON.stringify(filters) === JSON.stringify(inside.filters)) return null;
  // What nothing is known of stays as it was sent, and would be refused again.
  const isMended = [...wrong].every(([i, keys]) => {
    const before = listOf(inside.filters)[i] as JsonObject;
    return [...keys].every(key => JSON.stringify(before[key]) !== JSON.stringify((own[i] as JsonObject)[key]));
  });
  if (!isMended) return null;
  const search = { ...without(inside, ...beside, 'state'), filters };
  return again(refused, inside === req ? search : { ...req, search });
}

const isShort = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** The call with the nearest of the words that an issue names for what was sent at its path. */
function renamed(refused: Refused): NextCall | null {
  const { req, context } = refused;
  const [issue, ...others] = listOf(context.issues) as readonly { readonly path: string; readonly hint: string }[];
  const [, nearest] = /^Nearest: `?([\w:.]+)/.exec(issue?.hint ?? '') ?? [];
  if (issue === undefined || nearest === undefined || others.length > 0) return null;
  if (issue.path === 'operation') return again(refused, { ...req, operation: nearest });
  const [, at] = /^exclusions\[(\d+)\]\.layer$/.exec(issue.path) ?? [];
  if (at === undefined) return null;
  const exclusions = listOf(req.exclusions).map((one, i) =>
    i === Number(at) ? { ...(one as JsonObject), layer: nearest } : one,
  );
  return again(refused, { ...req, exclusions });
}

/** The call that follows a search, or a question about a set, that cannot be run. */
export function forSearch(refused: Refused): NextCall | null {
  const { tool, req, context } = refused;
  const rank = tool === `${PREFIX}search` ? rankFor(refused) : asSetsTake(refused);
  const helps = rank ?? renamed(refused) ?? refiltered(refused);
  if (helps) return helps;
  // What is being calculated is known by its name: nothing but time helps, which the issue says.
  const issues = listOf(context.issues).filter(
    issue => !/ is being calculated/.test(String((issue as JsonObject).description)),
  );
  const paths = issues.map(issue => String((issue as JsonObject).path));
  if (typeof req.query === 'string') return catalogFor(refused, [req.query]);
  // What is not calculated here is no filter, while other names may tell the same.
  const lacks = issues.some(issue =>
    / in this release: (?!it is not calculated)/.test(String((issue as JsonObject).description)),
  );
  if (lacks) return toolCall('coverage', {});
  if (paths.length > 0 && paths.every(path => path === 'cursor')) return again(refused, without(req, 'cursor'));
  return catalogFor(
    refused,
    namesAt(
      refused,
      paths.filter(path => /(?:\.field|^fields\[\d+\]|_field)$/.test(path)),
    ),
  );
}
