import { expect } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { inSteps } from '../../../datasets/precision.ts';
import type { Answer } from '../../../query/evaluate/answer.ts';
import { evaluate } from '../../../query/evaluate/evaluate.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { edgeMetres, type Survey } from '../../oracle/survey.ts';
import { randomOf } from '../../query/star.ts';

export type LngLat = readonly [lng: number, lat: number];

/** A point with what Plat says about it. */
export interface Asked {
  readonly lng: number;
  readonly lat: number;
  readonly answers: Readonly<Record<string, Answer>>;
}

/** A release under examination. */
export interface Subject {
  readonly home: string;
  /** Where the place's own layers are mapped, as published. */
  readonly city: Survey<null>;
  ask(names: readonly string[], points: readonly LngLat[]): Promise<Asked[]>;
}

/** Answers of the current release of a home, in this process. */
export function asker(home: string): Subject['ask'] {
  const release = openRelease(home);
  const cache = createCache(256);
  return async (names, points) => {
    const asked: Asked[] = [];
    for (const [lng, lat] of points) {
      const deadline = Date.now() + 60_000;
      asked.push({ lng, lat, answers: await evaluate(names, { lng, lat }, { release, catalog, cache, deadline }) });
    }
    return asked;
  };
}

/** Seeded points of a box that is a tenth larger on each side than the survey's own. */
export function scattered(survey: Survey<unknown>, count: number, seed: number): LngLat[] {
  const random = randomOf(seed);
  const [w, s, e, n] = survey.features.reduce(
    (all, { box }) => [
      Math.min(all[0], box[0]),
      Math.min(all[1], box[1]),
      Math.max(all[2], box[2]),
      Math.max(all[3], box[3]),
    ],
    [Infinity, Infinity, -Infinity, -Infinity] as [number, number, number, number],
  );
  return Array.from({ length: count }, () => [
    w + (random() * 1.2 - 0.1) * (e - w),
    s + (random() * 1.2 - 0.1) * (n - s),
  ]);
}

/** Seeded vertices of a survey, moved by up to so many degrees each way; 0 leaves them where the publisher put them. */
export function aboutVertices(survey: Survey<unknown>, count: number, degrees: number, seed: number): LngLat[] {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => {
    const { xy } = survey.features[Math.floor(random() * survey.features.length)]!.geometry;
    const i = Math.floor((random() * xy.length) / 2) * 2;
    return [xy[i]! + (random() * 2 - 1) * degrees, xy[i + 1]! + (random() * 2 - 1) * degrees];
  });
}

/** The place of an answer in messages. */
export const where = ({ lng, lat }: Asked, name: string) => `${name} at ${lng}, ${lat}`;

/** Expects a value (a number in the field's steps), or an absence when it is null; never a failure. */
export function expectValue(asked: Asked, name: string, expected: unknown): void {
  const answer = asked.answers[name]!;
  const step = catalog.fields.get(name)!.precision;
  const value = typeof expected === 'number' && step !== null ? inSteps(expected, step) : expected;
  expect(
    { status: answer.status, value: answer.value },
    `${where(asked, name)} (${answer.error ?? answer.notes})`,
  ).toEqual({ status: value === null ? 'absent' : 'ok', value });
}

/** Expects an absence with a reason. */
export function expectAbsent(asked: Asked, name: string, reason: string | RegExp): void {
  expectValue(asked, name, null);
  // Joined with others a reason begins a sentence.
  const { notes } = asked.answers[name]!;
  if (typeof reason === 'string') expect(notes?.toLowerCase(), where(asked, name)).toContain(reason.toLowerCase());
  else expect(notes, where(asked, name)).toMatch(reason);
}

/** Expects a distance as docs/operators.md allows: 0.1 m or one part in a million, and rounding to the field's step. */
export function expectMetres(asked: Asked, name: string, metres: number): void {
  const answer = asked.answers[name]!;
  const step = catalog.fields.get(name)!.precision ?? 0.1;
  expect(answer.status, `${where(asked, name)} (${answer.error ?? answer.notes})`).toBe('ok');
  // What is nearer than a step is told as one, for 0 says that it is met.
  const off = Math.abs((answer.value as number) - (metres > 1e-6 ? Math.max(metres, step) : 0));
  expect(off, `${where(asked, name)}: ${answer.value} for ${metres}`).toBeLessThanOrEqual(
    Math.max(0.1, metres * 1e-6) + step / 2,
  );
  expect(inSteps(answer.value as number, step), where(asked, name)).toBe(answer.value);
}

/** Metres from a place in the city to its edge, which is that of every coverage: beyond it nothing is known. */
export const outskirts = ({ city }: Subject, { lng, lat }: { readonly lng: number; readonly lat: number }): number =>
  Math.min(...city.features.map(feature => edgeMetres(feature.geometry, lng, lat)));

/**
 * Expects the confidence of `edge_m(30)` and of the stated accuracy beside an edge; within a decimetre of 30 m it may be
 * either.
 * @param metres to the nearest edge of what answers: what is said may change farther off, where polygons of one answer meet.
 * @param accuracy stated, null where none is. @param exact whether the answer changes at that edge.
 */
export function expectEdge(asked: Asked, name: string, metres: number, accuracy: number | null, exact: boolean): void {
  const { confidence, notes } = asked.answers[name]!;
  const message = `${where(asked, name)}: ${metres} m from the edge, ${confidence} (${notes})`;
  const said = /([\d.]+) m from .*, while the source is accurate to ([\d.]+) m/.exec(notes ?? '');
  if (said) {
    const change = Number(said[1]);
    expect(Number(said[2]), message).toBe(accuracy);
    expect(change, message).toBeGreaterThan(metres - 0.2);
    if (exact) expect(change, message).toBeLessThan(metres + 0.2);
    if (Math.abs(change - accuracy!) > 0.1) expect(confidence, message).toBe(change < accuracy! ? 'low' : 'medium');
    return;
  }
  if (exact && accuracy !== null) expect(metres, message).toBeGreaterThan(2 * accuracy - 0.2);
  if (Math.abs(metres - 30) < 0.1) return;
  if (metres > 30) expect(confidence, message).toBe('high');
  else expect(exact ? ['medium'] : ['medium', 'high'], message).toContain(confidence);
}
