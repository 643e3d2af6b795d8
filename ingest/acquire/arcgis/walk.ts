import { jsonText } from '../../text/json-numbers.ts';
import { PageInstead, Passing } from '../client.ts';
import { AcquireError } from '../fault.ts';
import { Refused } from './answer.ts';
import { Halving, idOf, isOfRows, matching, OtherRows, type Rows, type Walk } from './batch.ts';
import { atOnce, byGround, WORLD } from './ground.ts';
import type { ServiceLayer, ServiceRow } from './layer.ts';

/** Ids that fit into an address. */
const MOST_LISTED = 100;

/** A number that changes with the ids. */
const digestOf = (ids: readonly number[]) => ids.reduce((sum, id) => (sum * 31 + id) % 2_147_483_647, 7);

/** Rows that the service counts of a condition; null where it does not count. */
async function counted(
  layer: ServiceLayer,
  condition: string | null = null,
  more: Readonly<Record<string, string>> = {},
): Promise<number | null> {
  const answer = layer.query<{ count?: number | string }>(condition, { returnCountOnly: 'true', ...more });
  const { count } = await answer.catch((error: unknown) => {
    if (error instanceof Refused) return { count: undefined };
    throw error;
  });
  // Some say -1 for what they do not count.
  return Number.isInteger(Number(count ?? -1)) && Number(count) >= 0 ? Number(count) : null;
}

/** Whether a firewall bars what was asked. */
const isForbidden = (error: unknown): boolean =>
  error instanceof AcquireError && (error.status === 403 || error.status === 406);

const endless = (rows: number, at: string) => `says that there are more rows and sends ${rows} at ${at}`;

interface Ids {
  readonly objectIds?: readonly (number | string | null)[] | null;
  readonly objectIdFieldName?: string;
  /** Koop called it so before version 2.17. */
  readonly objectIdField?: string;
  readonly exceededTransferLimit?: boolean;
}

/** @throws Refused where ids have more digits than a double: conditions would name others. */
function requireShort(ids: readonly number[]): void {
  if (ids.some(id => Math.abs(id) > Number.MAX_SAFE_INTEGER)) throw new Refused('its ids are beyond 2^53');
}

/**
 * A county without rows is no fault, but a service that takes every box in its own system has none in any county.
 * @throws AcquireError where no row lies on the whole world in degrees, and some without a box.
 */
async function requireDegrees(layer: ServiceLayer): Promise<void> {
  const onWorld = await layer.patiently(() => counted(layer, null, { geometry: WORLD.box.join(',') }));
  if (onWorld !== 0) return;
  const all = await layer.patiently(() => counted(layer, null, { geometry: '' }));
  if (all)
    throw new AcquireError(
      'wrong_content',
      layer.source.url,
      `counts none of its ${all} rows on the whole world in degrees: it takes boxes in its own system alone`,
    );
}

/** By the ids that the service names, each exactly once. @throws Refused where it names none, or not all. */
async function byIds(layer: ServiceLayer, count: number | null): Promise<Walk> {
  const idsOf = (condition: string | null) => layer.query<Ids>(condition, { returnIdsOnly: 'true' });
  const named = await layer.patiently(async () => {
    const { objectIds, objectIdField, objectIdFieldName = objectIdField, exceededTransferLimit } = await idsOf(null);
    if (!objectIds && !(count === 0 && objectIds === null)) throw new Refused('it names no ids');
    const ids = [...new Set((objectIds ?? []).map(id => (id === null ? Number.NaN : Number(id))))].sort(
      (a, b) => a - b,
    );
    if (!ids.every(Number.isFinite)) throw new Refused('its ids are no numbers');
    requireShort(ids);
    if (ids.length < (objectIds?.length ?? 0) && objectIds?.length === count)
      throw new Refused(`${objectIds.length - ids.length} of its ids stand for several rows`);
    const field = layer.idField ?? objectIdFieldName ?? null;
    // A service may cut the ids too, and nothing else tells of it where it counts nothing.
    if (exceededTransferLimit === true) throw new Refused('it does not name all of its ids');
    if (count === null && field !== null && ids.length > 0) {
      const others = await idsOf(`${field} < ${ids[0]} OR ${field} > ${ids.at(-1)}`);
      const isAll = others.objectIds === null || others.objectIds?.length === 0;
      if (!isAll) throw new Refused('it counts no rows, and does not name all of its ids');
    }
    // Rows that are edited meanwhile make both numbers differ for a moment.
    if (count !== null && ids.length !== count) {
      const again = await counted(layer);
      // Some count no more than they send at once.
      const isCapped = again === count && count === layer.announced && ids.length > count;
      if (again !== ids.length && !isCapped) throw new Passing(`counts ${again} rows and names ${ids.length}`);
    }
    return { ids, field };
  });
  const { ids, field } = named;
  if (field === null && ids.length > 0) throw new Refused('it does not say which column holds the ids');
  const halving = new Halving(layer);
  let isListed = false;
  let hasRanged = false;
  const take = (wanted: readonly number[]): Promise<Rows> => {
    const [first, last] = [wanted[0]!, wanted.at(-1)!];
    const range = first === last ? `${field} = ${first}` : `${field} >= ${first} AND ${field} <= ${last}`;
    const pageOf = async (condition: string | null, more?: Readonly<Record<string, string>>) =>
      matching(await layer.rows(condition, more), wanted, field!, `the page from ${first} to ${last}`);
    const listed = async () => (wanted.length > MOST_LISTED ? 'halve' : pageOf(null, { objectIds: wanted.join(',') }));
    const ask = async () => {
      if (isListed) return listed();
      try {
        const page = await pageOf(range);
        hasRanged = true;
        return page;
      } catch (error) {
        // Some services know a column of ids by no condition, or leave conditions unread; firewalls bar < and >.
        const isBarred = !hasRanged && (error instanceof PageInstead || isForbidden(error));
        if (!(isBarred || error instanceof Refused || error instanceof OtherRows)) throw error;
        const page = await listed().catch(() => {
          throw error;
        });
        isListed ||= page !== 'halve';
        return page;
      }
    };
    const half = wanted.length >> 1;
    const halves = () => [() => take(wanted.slice(0, half)), () => take(wanted.slice(half))];
    return halving.take(wanted.length, ask, halves, () => String(first), { field: field!, of: first });
  };
  return {
    stamp: `${layer.changedAt ?? ''} ${ids.length} ${ids[0] ?? ''}-${ids.at(-1) ?? ''} ${digestOf(ids)}`,
    count: ids.length,
    idField: field,
    resumes: true,
    async *batches(from) {
      for (let next = from; next < ids.length; ) {
        const wanted = ids.slice(next, next + layer.page);
        next += wanted.length;
        yield { ...(await take(wanted)), next };
      }
    },
  };
}

/** By ranges between the least and the greatest id. @throws Refused where the service computes no statistics. */
async function byRanges(layer: ServiceLayer, count: number | null): Promise<Walk> {
  const field = layer.idField;
  if (field === null) throw new Refused('it has no column of ids');
  const statistic = (statisticType: 'min' | 'max') => ({
    statisticType,
    onStatisticField: field,
    outStatisticFieldName: `THE_${statisticType.toUpperCase()}`,
  });
  const outStatistics = JSON.stringify([statistic('min'), statistic('max')]);
  const [least, greatest] = await layer.patiently(async () => {
    const { features } = await layer.query<{ features?: readonly ServiceRow[] }>(null, { outStatistics });
    // Version 10.11 names the columns as its SQL says them.
    const numbers = Object.values(features?.[0]?.attributes ?? {}).map(value => Number(value ?? Number.NaN));
    if (numbers.length !== 2 || !numbers.every(Number.isFinite))
      throw new Refused('it computes no least and greatest id');
    requireShort(numbers);
    return [Math.floor(Math.min(...numbers)), Math.ceil(Math.max(...numbers))] as const;
  });
  // Rows of a view that joins tables may have no id.
  const ranged = count === null ? null : await counted(layer, `${field} >= ${least} AND ${field} <= ${greatest}`);
  if (count !== null && ranged !== null && ranged < count)
    throw new Refused(`${count - ranged} of its rows have no id`);
  // Version 10.22 computes others than there are, and nothing else tells of it where it counts nothing.
  if (count === null) {
    const others = await layer.patiently(() => layer.rows(`${field} < ${least} OR ${field} > ${greatest}`));
    if (others.rows.length > 0) throw new Refused('its least and greatest id are not those of its rows');
  }
  const halving = new Halving(layer);
  // A service that counts nothing may cut in silence: then two parts have more rows than the whole.
  const isWholeRange = async (rows: number, low: number, high: number): Promise<boolean> => {
    for (let [first, last] = [low, high]; first < last; ) {
      const half = Math.floor((first + last) / 2);
      const lower = (await layer.rows(`${field} >= ${first} AND ${field} <= ${half}`)).rows.length;
      const upper = (await layer.rows(`${field} >= ${half + 1} AND ${field} <= ${last}`)).rows.length;
      if (lower + upper > rows) return false;
      if (lower > 0 && upper > 0) return true;
      [first, last] = lower > 0 ? [first, half] : [half + 1, last];
    }
    return true;
  };
  const take = (low: number, high: number): Promise<Rows> => {
    const size = high - low + 1;
    const range = `${field} >= ${low} AND ${field} <= ${high}`;
    const ask = async () => {
      const { rows, crs, isCut } = await layer.rows(range);
      if (isCut && size > 1) return 'halve';
      if (isCut && count === null) throw new OtherRows(endless(rows.length, `id ${low}`));
      const expected = size === 1 ? 0 : await counted(layer, range);
      const isWhole = expected === null ? await isWholeRange(rows.length, low, high) : rows.length >= expected;
      return isWhole ? { rows, crs, unread: [] } : 'halve';
    };
    const half = Math.floor((low + high) / 2);
    return halving.take(
      size,
      ask,
      () => [() => take(low, half), () => take(half + 1, high)],
      () => String(low),
      { field, of: low },
    );
  };
  return {
    stamp: `${layer.changedAt ?? ''} ${count ?? ''} ranges ${least}-${greatest}`,
    count,
    idField: field,
    resumes: true,
    async *batches(from) {
      // Ids may lie far apart.
      for (let [next, size] = [from, layer.page]; next <= greatest - least; ) {
        const low = least + next;
        next += size;
        const batch = await take(low, Math.min(low + size - 1, greatest));
        size = batch.rows.length <= layer.page >> 2 ? 2 * size : Math.max(layer.page, size >> 1);
        yield { ...batch, next };
      }
    },
  };
}

/** By offsets, in the order of the ids where there are any. @throws Refused where the service knows no offsets. */
async function byOffsets(layer: ServiceLayer, count: number | null): Promise<Walk> {
  const rowsBy = (order: Readonly<Record<string, string>>) => (offset: number, size: number) =>
    layer.rows(null, { resultOffset: String(offset), resultRecordCount: String(size), ...order });
  // A service that knows no offsets sends its first page whatever is asked for.
  const last = count === null ? 1 : Math.max(0, count - 1);
  const probed = async (rowsAt: ReturnType<typeof rowsBy>) => {
    const { rows } = await layer.patiently(() => rowsAt(last, 1));
    if (rows.length > 1) throw new Refused('it takes no offsets');
    const firstRow = async () => jsonText((await layer.patiently(() => rowsAt(0, 1))).rows[0] ?? null);
    if (last === 0 || rows.length === 0) return rowsAt;
    const first = await firstRow();
    if (first === jsonText(rows[0])) throw new Refused('it sends the same row for every offset');
    if (first !== (await firstRow())) throw new Refused('its rows are in another order each time');
    return rowsAt;
  };
  const { idField } = layer;
  // Without an order a service may send a row twice and another one never.
  const orderByFields = idField ?? layer.order.join(',');
  const rowsAt = await (orderByFields === ''
    ? probed(rowsBy({}))
    : probed(rowsBy({ orderByFields })).catch((error: unknown) => {
        if (error instanceof Refused) return probed(rowsBy({}));
        throw error;
      }));
  const halving = new Halving(layer);
  const take = (offset: number, size: number): Promise<Rows> => {
    const ask = async () => {
      const { rows, crs, isCut } = await rowsAt(offset, size);
      if (rows.length > size) throw new OtherRows(`sends ${rows.length} rows where ${size} were asked for`);
      if (isCut && rows.length === 0 && count === null) throw new OtherRows(endless(0, `offset ${offset}`));
      const isShort = isCut || (count !== null && rows.length < Math.min(size, count - offset));
      return isShort && size > 1 && rows.length < size ? 'halve' : { rows, crs, unread: [] };
    };
    const half = Math.ceil(size / 2);
    const halves = () => [() => take(offset, half), () => take(offset + half, size - half)];
    return halving.take(size, ask, halves, () => `row ${offset}`);
  };
  return {
    stamp: `${layer.changedAt ?? ''} ${count ?? ''} offsets`,
    count,
    idField: layer.idField,
    resumes: true,
    async *batches(from) {
      const seen = new Set<number>();
      for (let next = from; count === null || next < count; ) {
        const batch = await take(next, layer.page);
        const size = batch.rows.length + batch.unread.length;
        if (size === 0) return;
        for (const id of batch.rows.map(row => idOf(row, idField))) {
          if (id !== null && seen.has(id))
            throw new AcquireError('wrong_content', layer.source.url, `row ${id} came twice by offsets`);
          if (id !== null) seen.add(id);
        }
        // Where nothing is counted, a short page may be the service's own limit.
        next += count === null ? size : layer.page;
        yield { ...batch, next };
      }
    },
  };
}

/**
 * The first way that the service goes: by its ids, by ranges of them, by offsets, at once, by ground.
 * @throws AcquireError naming why it goes none.
 */
export async function walkOf(layer: ServiceLayer): Promise<Walk> {
  const counting = () => layer.patiently(() => counted(layer));
  /** The count by another condition for every row; null where that is none either, and nothing changed. */
  const recounted = async (): Promise<number | null> => {
    const undo = layer.avoidTautology();
    const count = undo && (await counting());
    if (count === null) undo?.();
    return count;
  };
  let failure: unknown = null;
  const uncounted = (error: unknown): null => {
    if (!isOfRows(error)) throw error;
    failure = error;
    return null;
  };
  const said = await counting().catch((error: unknown) => {
    if ((isForbidden(error) || isOfRows(error)) && layer.avoidTautology()) return counting().catch(uncounted);
    return uncounted(error);
  });
  const count = said ?? (failure === null ? await recounted() : null);
  if (count === 0 && layer.source.box) await requireDegrees(layer);
  const reasons: string[] = [];
  for (const way of [byIds, byRanges, byOffsets, atOnce, byGround]) {
    try {
      return await way(layer, count);
    } catch (error) {
      const isOther = error instanceof Refused || isOfRows(error);
      if (!isOther) throw error;
      reasons.push(
        error instanceof AcquireError ? error.message.replace(`${error.url}: `, '') : (error as Error).message,
      );
    }
  }
  // A service that does not even count is down.
  if (failure !== null) throw failure;
  throw new AcquireError('wrong_content', layer.source.url, `no way leads through its rows: ${reasons.join('; ')}`);
}
