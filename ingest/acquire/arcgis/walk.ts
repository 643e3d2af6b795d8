import { jsonText } from '../../text/json-numbers.ts';
import { Passing } from '../client.ts';
import { AcquireError } from '../fault.ts';
import { Halving, idOf, isOfRows, matching, OtherRows, type Rows, type Walk } from './batch.ts';
import { atOnce, byGround } from './ground.ts';
import { Refused, type ServiceLayer, type ServiceRow } from './layer.ts';

/** Ids that fit into an address. */
const MOST_LISTED = 100;

/** A number that changes with the ids. */
const digestOf = (ids: readonly number[]) => ids.reduce((sum, id) => (sum * 31 + id) % 2_147_483_647, 7);

/** Rows that the service counts of a condition; null where it does not count. */
async function counted(layer: ServiceLayer, condition: string | null = null): Promise<number | null> {
  const answer = layer.query<{ count?: number | string }>(condition, { returnCountOnly: 'true' });
  const { count } = await answer.catch((error: unknown) => {
    if (error instanceof Refused) return { count: undefined };
    throw error;
  });
  return count !== undefined && Number.isInteger(Number(count)) ? Number(count) : null;
}

interface Ids {
  readonly objectIds?: readonly (number | string | null)[] | null;
  readonly objectIdFieldName?: string;
  /** Koop called it so before version 2.17. */
  readonly objectIdField?: string;
  readonly exceededTransferLimit?: boolean;
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
      if (again !== ids.length) throw new Passing(`counts ${again} rows and names ${ids.length}`);
    }
    return { ids, field };
  });
  const { ids, field } = named;
  if (field === null && ids.length > 0) throw new Refused('it does not say which column holds the ids');
  const halving = new Halving(layer);
  let isListed = false;
  const take = (wanted: readonly number[]): Promise<Rows> => {
    const [first, last] = [wanted[0]!, wanted.at(-1)!];
    const range = first === last ? `${field} = ${first}` : `${field} >= ${first} AND ${field} <= ${last}`;
    const pageOf = async (condition: string | null, more?: Readonly<Record<string, string>>) =>
      matching(await layer.rows(condition, more), wanted, field!, `the page from ${first} to ${last}`);
    const listed = async () => (wanted.length > MOST_LISTED ? 'halve' : pageOf(null, { objectIds: wanted.join(',') }));
    const ask = async () => {
      if (isListed) return listed();
      try {
        return await pageOf(range);
      } catch (error) {
        // Some services know a column of ids by no condition, or leave conditions unread.
        if (!(error instanceof Refused || error instanceof OtherRows)) throw error;
        const page = await listed().catch(() => {
          throw error;
        });
        isListed ||= page !== 'halve';
        return page;
      }
    };
    const half = wanted.length >> 1;
    const halves = () => [() => take(wanted.slice(0, half)), () => take(wanted.slice(half))];
    return halving.take(wanted.length, ask, halves, () => String(first));
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
    const numbers = Object.values(features?.[0]?.attributes ?? {}).map(Number);
    if (numbers.length !== 2 || !numbers.every(Number.isFinite))
      throw new Refused('it computes no least and greatest id');
    return [Math.floor(Math.min(...numbers)), Math.ceil(Math.max(...numbers))] as const;
  });
  // Rows of a view that joins tables may have no id.
  const ranged = count === null ? null : await counted(layer, `${field} >= ${least} AND ${field} <= ${greatest}`);
  if (count !== null && ranged !== null && ranged < count)
    throw new Refused(`${count - ranged} of its rows have no id`);
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
    );
  };
  return {
    stamp: `${layer.changedAt ?? ''} ${count ?? ''} ranges ${least}-${greatest}`,
    count,
    idField: field,
    resumes: true,
    async *batches(from) {
      for (let next = from; next <= greatest - least; ) {
        const low = least + next;
        next += layer.page;
        yield { ...(await take(low, Math.min(low + layer.page - 1, greatest))), next };
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
    const [first] = last > 0 && rows.length > 0 ? (await layer.patiently(() => rowsAt(0, 1))).rows : [];
    if (first && jsonText(first) === jsonText(rows[0])) throw new Refused('it sends the same row for every offset');
    return rowsAt;
  };
  const unordered = () => probed(rowsBy({}));
  const { idField } = layer;
  const rowsAt = await (idField === null
    ? unordered()
    : probed(rowsBy({ orderByFields: idField })).catch((error: unknown) => {
        if (error instanceof Refused) return unordered();
        throw error;
      }));
  const halving = new Halving(layer);
  const take = (offset: number, size: number): Promise<Rows> => {
    const ask = async () => {
      const { rows, crs, isCut } = await rowsAt(offset, size);
      if (rows.length > size) throw new OtherRows(`sends ${rows.length} rows where ${size} were asked for`);
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
  let failure: unknown = null;
  const uncounted = (error: unknown): null => {
    if (!isOfRows(error)) throw error;
    failure = error;
    return null;
  };
  const count = await counting().catch((error: unknown) => {
    const isBarred = error instanceof AcquireError && (error.status === 403 || error.status === 406);
    if ((isBarred || isOfRows(error)) && layer.avoidTautology()) return counting().catch(uncounted);
    return uncounted(error);
  });
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
