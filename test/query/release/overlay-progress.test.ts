import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { Rate } from '../../../pipelines/overlay/rate.ts';
import { keepTelling } from '../../../pipelines/overlay/telling.ts';
import { overlayProgress } from '../../../query/release/overlay-progress.ts';

const home = mkdtempSync(join(tmpdir(), 'plat-progress-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('is told as long as a run goes on, and not of a run that was killed', () => {
  vi.useFakeTimers();
  try {
    expect(overlayProgress(home)).toBeNull();
    const rate = new Rate(3000);
    const stop = keepTelling(home, rate, 3000, ['elevation']);
    expect(overlayProgress(home)).toEqual({ done: 0, total: 3000, perSecond: 0, fields: ['elevation'] });
    rate.skip(1000);
    rate.add(500);
    vi.advanceTimersByTime(10_000);
    expect(overlayProgress(home)).toMatchObject({ done: 1500, perSecond: 50 });
    // As far as a killed run came.
    vi.setSystemTime(Date.now() + 60_000);
    expect(overlayProgress(home)).toBeNull();
    vi.advanceTimersByTime(2_000);
    expect(overlayProgress(home)).toMatchObject({ done: 1500 });
    stop();
    expect(overlayProgress(home)).toBeNull();
    expect(readdirSync(join(home, 'releases'))).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

it('is unknown where the record is none', () => {
  writeFileSync(join(home, 'releases', 'overlay.json'), '{"at":');
  expect(overlayProgress(home)).toBeNull();
});

it('holds nobody up where it cannot be written', () => {
  const stop = keepTelling('/dev/null', new Rate(1), 1, []);
  stop();
});
