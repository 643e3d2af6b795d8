import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { isShort, longOf } from '../../../query/engine/queue/job.ts';
import type { RouteQuestion } from '../../../query/engine/route/route-question.ts';
import type { TaskName, Tasks } from '../../../query/engine/tasks.ts';
import type { WorkerTask } from '../../../query/engine/worker-task.ts';

const task = <K extends TaskName>(kind: K, input: Tasks[K]['input']): WorkerTask => ({
  kind,
  input,
  urgent: false,
  id: 0,
  release: null,
  past: false,
  deadline: 0,
  judged: [],
  flag: 0,
  progress: null,
});
const site = (vertices: number) => {
  const geometry: Geometry = {
    type: 'Polygon',
    xy: new Float64Array(2 * vertices),
    ends: Uint32Array.of(vertices),
    parts: Uint32Array.of(1),
  };
  return task('readSite', { geometry, path: 'site', maxAcres: 1 });
};
const point = { lng: -69, lat: 44 };
const points = (count: number) => Array.from({ length: count }, () => point);
const route = (question: RouteQuestion) => task('route', { question, graphs: [] });

describe('what takes as long as a hundred short requests', () => {
  it('is a large site that is read, which is not begun between the steps of other work either', () => {
    expect(longOf(site(20_000))).toBe('search');
    expect(isShort(site(20_000))).toBe(false);
    expect(longOf(site(5))).toBeNull();
    expect(isShort(site(5))).toBe(true);
  });

  it('is a question about many drives, but not one about a few', () => {
    expect(longOf(route({ kind: 'isochrones', origin: point, limits: [1] }))).toBe('search');
    expect(longOf(route({ kind: 'within', origin: point, places: [], limit: 1 }))).toBe('search');
    expect(longOf(route({ kind: 'table', origins: points(35), destinations: points(100) }))).toBe('search');
    expect(longOf(route({ kind: 'table', origins: points(1), destinations: points(100) }))).toBeNull();
    expect(longOf(route({ kind: 'nearest', origin: point, places: points(2), count: 1, limit: 1 }))).toBeNull();
  });
});

it('what an earlier release is asked may open its files first: it is long, whatever it is', () => {
  const past = { ...task('fetch', { names: ['a'], point: { lng: 0, lat: 0 } }), past: true };
  expect([isShort(past), longOf(past)]).toEqual([false, 'search']);
});
