import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildCatalog } from '../../../datasets/catalog.ts';
import type { OperatorName } from '../../../datasets/grammar/expression.ts';
import type { Operator } from '../../../query/evaluate/context.ts';
import { evaluate } from '../../../query/evaluate/evaluate.ts';
import { found } from '../../../query/evaluate/finding.ts';
import { OPERATORS } from '../../../query/evaluate/operators/registry.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Interrupted } from '../../../query/release/fault.ts';
import type { Release } from '../../../query/release/open-release.ts';
import { dataset, field } from '../release-fixture.ts';

const catalog = buildCatalog([
  dataset(
    'd',
    { main: { kind: 'vector', geometry: 'point', joinKey: null, columns: {}, partition: 'national' } },
    {
      slow: field('count_within(d, radius_m=1)'),
      quick: field('agg_within(d, value, agg=sum, radius_m=1)'),
      of_slow: field('derived(expr[s + 1], s=@slow)'),
    },
  ),
]);
const release = {
  id: 'r',
  home: 'nowhere',
  manifest: { asOf: '2026-01-01', datasets: {} },
  layer: () => null,
} as unknown as Release;
const operators = OPERATORS as Map<OperatorName, Operator>;
/** Other test files of the process find again what stood here. */
const own = new Map(OPERATORS);
let runs = 0;

function install(slow: Operator['point']): void {
  runs = 0;
  const bulk = () => Promise.reject(new Error('nobody asks about many points'));
  operators.set('count_within', { name: 'count_within', point: slow, bulk });
  operators.set('agg_within', {
    name: 'agg_within',
    bulk,
    async point() {
      runs++;
      return found(1, 'high', []);
    },
  });
}

afterEach(() => {
  vi.useRealTimers();
  for (const [name, operator] of own) operators.set(name, operator);
});

const ask = (names: string[], limit = 20_000, stopped?: () => boolean) =>
  evaluate(
    names,
    { lng: 0, lat: 0 },
    { release, catalog, cache: createCache(16), deadline: Date.now() + limit, ...(stopped ? { stopped } : {}) },
  );

describe('evaluate', () => {
  it('fails a source after 5 s, retryable, with what depends on it, and answers the others', async () => {
    vi.useFakeTimers();
    install(() => new Promise(() => {}));
    const answers = ask(['slow', 'quick', 'of_slow']);
    await vi.advanceTimersByTimeAsync(10_001);
    const { slow, quick, of_slow } = await answers;
    expect(slow).toMatchObject({ status: 'failed', retryable: true, error: 'the source took longer than 5 s' });
    expect(quick).toMatchObject({ status: 'ok', value: 1, source: 'd' });
    expect(of_slow).toMatchObject({ status: 'failed', retryable: true });
  });

  it('fails what is unfinished at the deadline, retryable', async () => {
    vi.useFakeTimers();
    install(() => new Promise(() => {}));
    const answers = ask(['slow', 'quick'], 1000);
    await vi.advanceTimersByTimeAsync(1001);
    for (const answer of Object.values(await answers))
      expect(answer).toMatchObject({ status: 'failed', retryable: true, error: 'the time for this location was up' });
    expect(runs).toBe(0);
  });

  it('stops at the next check once nobody waits', async () => {
    let stopped = false;
    install(async ctx => {
      stopped = true;
      ctx.check();
      return found(1, 'high', []);
    });
    await expect(ask(['slow', 'quick'], 1000, () => stopped)).rejects.toBeInstanceOf(Interrupted);
    expect(runs).toBe(0);
  });

  it('lets what is urgent pass before each field, which has its time after that', async () => {
    vi.useFakeTimers();
    install(async () => found(1, 'high', []));
    const pause = vi.fn(() => new Promise<void>(resolve => setTimeout(resolve, 6_000)));
    const deadline = Date.now() + 60_000;
    const answers = evaluate(
      ['slow', 'quick', 'of_slow'],
      { lng: 0, lat: 0 },
      { release, catalog, cache: createCache(16), deadline, pause },
    );
    await vi.advanceTimersByTimeAsync(18_001);
    for (const answer of Object.values(await answers)) expect(answer.status).toBe('ok');
    expect(pause).toHaveBeenCalledTimes(3);
  });

  it('turns any other error into a failed answer', async () => {
    install(async () => {
      throw new TypeError('surprise');
    });
    const { slow, quick } = await ask(['slow', 'quick']);
    expect(slow).toMatchObject({ status: 'failed', retryable: false, error: 'the source cannot be used: surprise' });
    expect(quick!.status).toBe('ok');
  });
});
