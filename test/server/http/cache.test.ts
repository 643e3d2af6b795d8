import { expect, it } from 'vitest';
import { type Fixture, openFixture } from '../service-fixture.ts';

const HOUR = 3600 * 1000;
const ask = async (fixture: Fixture, fields: string[], lat = 44.8, lng = -68.77) => {
  const reply = await fixture.app.inject({
    method: 'POST',
    url: '/v1/fetch',
    headers: { authorization: `Bearer ${fixture.token}` },
    payload: { lat, lng, fields },
  });
  expect(reply.statusCode).toBe(200);
  return reply.json();
};
const asked = (fixture: Fixture) => fixture.engine.calls.splice(0).flatMap(call => call.names);

it('keeps ok and absent answers 24 hours with their own fetched_at', async () => {
  await using fixture = await openFixture();
  fixture.engine.answers.set('flood_note', { status: 'absent', value: null, notes: 'Not mapped.' });
  const first = await ask(fixture, ['elevation', 'flood_note']);
  expect(asked(fixture)).toEqual(['elevation', 'flood_note']);
  fixture.clock.time += 23 * HOUR;
  const second = await ask(fixture, ['flood_note', 'elevation']);
  expect(asked(fixture)).toEqual([]);
  expect(second.fields).toEqual(first.fields);
  expect(second.fields.elevation.fetched_at).toBe('2026-01-02T03:04:05.678Z');
  expect(second.fetched_at).toBe('2026-01-03T02:04:05.678Z');
  fixture.clock.time += HOUR + 1000;
  const third = await ask(fixture, ['elevation']);
  expect(asked(fixture)).toEqual(['elevation']);
  expect(third.fields.elevation.fetched_at).toBe('2026-01-03T03:04:06.678Z');
});

it('asks the engine only for what is missing', async () => {
  await using fixture = await openFixture();
  await ask(fixture, ['elevation']);
  asked(fixture);
  const reply = await ask(fixture, ['slope_degrees', 'elevation', 'flood_note']);
  expect(asked(fixture)).toEqual(['slope_degrees', 'flood_note']);
  expect(Object.keys(reply.fields)).toEqual(['slope_degrees', 'elevation', 'flood_note']);
});

it('never keeps a failed answer', async () => {
  await using fixture = await openFixture();
  fixture.engine.answers.set('elevation', { status: 'failed', value: null, error: 'x', retryable: true });
  await ask(fixture, ['elevation']);
  asked(fixture);
  fixture.engine.answers.clear();
  expect((await ask(fixture, ['elevation'])).fields.elevation.status).toBe('ok');
  expect(asked(fixture)).toEqual(['elevation']);
});

it('tells places apart at 7 decimals and not beyond', async () => {
  await using fixture = await openFixture();
  await ask(fixture, ['elevation'], 44.8, -68.77);
  asked(fixture);
  await ask(fixture, ['elevation'], 44.80000001, -68.77000001);
  expect(asked(fixture)).toEqual([]);
  await ask(fixture, ['elevation'], 44.8000001, -68.77);
  await ask(fixture, ['elevation'], 44.8, -68.7700001);
  expect(asked(fixture)).toEqual(['elevation', 'elevation']);
});

it('forgets when the dataset version changes', async () => {
  await using fixture = await openFixture();
  await ask(fixture, ['elevation']);
  asked(fixture);
  fixture.engine.version = 'v2';
  await ask(fixture, ['elevation']);
  expect(asked(fixture)).toEqual(['elevation']);
});

it('is off when the setting says so', async () => {
  await using fixture = await openFixture({ cache: false });
  await ask(fixture, ['elevation']);
  await ask(fixture, ['elevation']);
  expect(asked(fixture)).toEqual(['elevation', 'elevation']);
});

it('holds through a clock that jumps an hour forward and back, for that hour longer at most', async () => {
  await using fixture = await openFixture();
  await ask(fixture, ['elevation']);
  fixture.clock.time += HOUR;
  await ask(fixture, ['elevation', 'flood_note']);
  fixture.clock.time -= HOUR;
  expect(asked(fixture)).toEqual(['elevation', 'flood_note']);
  await ask(fixture, ['elevation', 'flood_note']);
  expect(asked(fixture)).toEqual([]);
  fixture.clock.time += 24 * HOUR + 1000;
  await ask(fixture, ['elevation', 'flood_note']);
  expect(asked(fixture)).toEqual(['elevation']);
  fixture.clock.time += HOUR;
  await ask(fixture, ['flood_note']);
  expect(asked(fixture)).toEqual(['flood_note']);
});

it('keeps no answer that was read while something was corrected, taken back or withheld', async () => {
  await using fixture = await openFixture();
  for (const marks of [
    [null, null],
    ['a', 'b'],
    ['a', null],
  ]) {
    fixture.engine.mark = marks[0]!;
    fixture.engine.before = async () => {
      fixture.engine.mark = marks[1]!;
    };
    await ask(fixture, ['elevation']);
  }
  expect(asked(fixture)).toEqual(['elevation', 'elevation', 'elevation']);
  await ask(fixture, ['elevation']);
  fixture.engine.mark = 'b';
  fixture.engine.before = async () => {};
  await ask(fixture, ['elevation']);
  await ask(fixture, ['elevation']);
  expect(asked(fixture)).toEqual(['elevation', 'elevation']);
});
