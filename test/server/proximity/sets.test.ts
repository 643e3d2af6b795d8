import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { HERE, postTo, region } from './questions.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
afterEach(() => fixture.engine.reset());

const post = (path: string, body: unknown) => postTo(fixture, path, body);

describe('a set whose rows do not tell which belong to it', () => {
  const reason = 'this copy (airports_csv) lacks it (FACILITY_USE_CODE)';
  const airport = { name: 'Bangor', lng: -68.8, lat: 44.8, metres: 2_400, source: 's', sourceUrl: null, vintage: '1' };
  const doubted = (metres: readonly number[], landmarks: readonly (typeof airport)[] = []) => {
    fixture.engine.near = () => ({ set: { landmarks, doubt: { metres, reason } } });
    fixture.engine.routed = question => {
      if (question.kind !== 'nearest') throw new Error(`${question.kind} was not expected`);
      const found = question.places.map((_, index) => ({ index, time: 240_000, length: 24_000 }));
      const placed = { metres: 1, nearestRoad: 1 };
      return { region, origins: [placed], places: question.places.map(() => placed), found };
    };
  };
  const screen = async (rule: object) => {
    const response = await post('/screen', { candidates: [HERE], rules: [{ to: '@airports', ...rule }] });
    expect(response.statusCode).toBe(200);
    const [result] = response.json().results;
    return { ...result.rules[0], whole: result.passed };
  };

  it('leaves a rule open where one of them may be near enough', async () => {
    doubted([8_000, 90_000]);
    for (const rule of [{ within_km: 10 }, { within_minutes: 60 }])
      expect(await screen(rule)).toMatchObject({
        passed: null,
        whole: null,
        count: null,
        nearest: null,
        reason: expect.stringMatching(
          /^Of places that may be near enough \([12]\) .* the set: this copy \(airports_csv\) lacks it/,
        ),
      });
  });

  it('fails a rule where none of them may be, and passes it where others do', async () => {
    doubted([90_000]);
    for (const rule of [{ within_km: 10 }, { within_minutes: 10 }])
      expect(await screen(rule)).toMatchObject({ passed: false, count: 0, reason: null });
    doubted([8_000], [airport]);
    for (const rule of [{ within_km: 10 }, { within_minutes: 10 }])
      expect(await screen(rule)).toMatchObject({ passed: true, count: 1, reason: null, nearest: { name: 'Bangor' } });
    expect(await screen({ within_km: 10, min_count: 2 })).toMatchObject({ passed: null, count: null });
  });

  it('has no nearest where nothing else is known, and says so beside what is', async () => {
    const nearest = (more: object) => post('/nearest', { origin: HERE, candidates: '@airports', k: 1, ...more });
    for (const by of ['drive_time', 'straight_line']) {
      doubted([8_000]);
      const refused = await nearest({ by });
      expect(refused.statusCode).toBe(503);
      expect(refused.json().detail).toMatchObject({ error: 'proximity_data_unavailable', retryable: false });
      expect(refused.json().detail.message).toContain(reason);
      doubted([1_000], [airport]);
      expect((await nearest({ by })).json().note).toContain(`The nearest may be others: of places nearby (1)`);
      doubted([900_000], [airport]);
      expect((await nearest({ by })).json().note ?? '').not.toContain('may be others');
    }
  });
});
