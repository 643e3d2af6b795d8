import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';

describeStores('templates of siting', ({ place, open }) => {
  it('are written, read, listed and deleted by their account alone', async () => {
    const store = await open(await place());
    const [ann, bob] = await Promise.all(
      ['ann@x', 'bob@x'].map(async mail => (await store.openAccount(mail, 'free')).id),
    );
    const { sitingTemplates: templates } = store;
    const body = JSON.stringify({ title: 'Ein Feld für Ann — 風' });
    expect(await templates.put(ann!, { name: 'b', body, changedAt: 1 }, 2)).toBe(true);
    expect(await templates.put(ann!, { name: 'a', body: '{}', changedAt: 2 }, 2)).toBe(true);
    expect(await templates.put(ann!, { name: 'b', body: '{"title":"new"}', changedAt: 3 }, 2)).toBe(true);
    expect(await templates.put(ann!, { name: 'c', body, changedAt: 4 }, 2)).toBe(false);
    expect((await templates.list(ann!)).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(await templates.template(ann!, 'b')).toEqual({ name: 'b', body: '{"title":"new"}', changedAt: 3 });
    expect([await templates.template(bob!, 'b'), await templates.list(bob!)]).toEqual([null, []]);
    expect([await templates.remove(bob!, 'b'), await templates.remove(ann!, 'b')]).toEqual([false, true]);
    expect(await templates.remove(ann!, 'b')).toBe(false);
    const together = Array.from({ length: 6 }, (_, i) => templates.put(bob!, { name: `t${i}`, body, changedAt: i }, 4));
    expect((await Promise.all(together)).filter(stored => stored)).toHaveLength(4);
  });
});

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ catalog });
});
afterAll(() => fixture[Symbol.asyncDispose]());

async function ask(method: 'GET' | 'PUT' | 'DELETE' | 'POST', url: string, payload?: object) {
  const reply = await fixture.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${fixture.token}` },
    ...(payload ? { payload } : {}),
  });
  return { status: reply.statusCode, body: reply.body === '' ? null : reply.json() };
}

const MINE = {
  title: 'Community solar',
  exclusions: [{ layer: 'fema_nfhl:S_FLD_HAZ_AR', where: "SFHA_TF = 'T'", setback_ft: 50 }, { layer: 'usfws_nwi' }],
  boundary_setback_m: 12,
  min_piece_acres: 5,
};

describe('templates of an account', () => {
  it('stand beside those that every account has, and for their exclusions in a question', async () => {
    expect((await ask('PUT', '/v1/buildable/templates/mine', MINE)).body).toEqual({
      ...{ name: 'mine', title: 'Community solar', own: true },
      exclusions: [
        { layer: 'fema_nfhl:S_FLD_HAZ_AR', where: "SFHA_TF = 'T'", setback_m: expect.closeTo(15.24, 6) },
        { layer: 'usfws_nwi', setback_m: 0 },
      ],
      ...{ boundary_setback_m: 12, max_slope_percent: null, min_width_m: 0, min_piece_acres: 5 },
    });
    const { templates } = (await ask('GET', '/v1/buildable/templates')).body;
    expect(templates.map(({ name, own }: { name: string; own: boolean }) => [name, own])).toEqual([
      ...['solar', 'wind', 'storage', 'data_center', 'housing'].map(name => [name, false]),
      ['mine', true],
    ]);
    const question = { parcel_id: 'pcl_7', template: 'mine', exclusions: [{ layer: 'usfws_nwi', setback_m: 7 }] };
    expect((await ask('POST', '/v1/buildable', { ...question, max_slope_percent: 9 })).status).toBe(200);
    const asked = fixture.engine.buildings.at(-1)!;
    expect(asked.exclusions.map(({ name, setback }) => [name, Math.round(setback * 100)])).toEqual([
      ['fema_nfhl:S_FLD_HAZ_AR', 1524],
      ['usfws_nwi', 700],
      ['usgs_3dep:slope_percent', 0],
    ]);
    expect(asked).toMatchObject({ boundarySetback: 12, minWidth: 0 });
    expect(asked.minPiece).toBeCloseTo(5 * 4046.8564224, 6);
    expect((await ask('DELETE', '/v1/buildable/templates/mine')).status).toBe(204);
    expect((await ask('DELETE', '/v1/buildable/templates/mine')).body.detail.error).toBe('template_not_found');
    const gone = await ask('POST', '/v1/buildable', question);
    expect([gone.status, gone.body.detail.issues[0].path]).toEqual([422, 'template']);
  });

  it.each<[string, string, object, string]>([
    ['the name of one that every account has', 'solar', {}, 'template'],
    ['a layer that is none', 'mine', { exclusions: [{ layer: 'no_such' }] }, 'exclusions[0].layer'],
    [
      'a condition on no column',
      'mine',
      { exclusions: [{ layer: 'usfws_nwi', where: 'X = 1' }] },
      'exclusions[0].where',
    ],
  ])('refuse %s', async (_, name, body, path) => {
    const { status, body: answer } = await ask('PUT', `/v1/buildable/templates/${name}`, body);
    expect([status, answer.detail.error, answer.detail.issues[0].path]).toEqual([422, 'search_invalid_request', path]);
  });

  it('refuse a name of other letters, and are 50 at most', async () => {
    expect((await ask('PUT', '/v1/buildable/templates/Mine', {})).status).toBe(422);
    for (let i = 0; i < 50; i++) expect((await ask('PUT', `/v1/buildable/templates/t${i}`, {})).status).toBe(200);
    const { status, body } = await ask('PUT', '/v1/buildable/templates/more', {});
    expect([status, body.detail]).toMatchObject([409, { error: 'templates_too_many', max: 50 }]);
    expect((await ask('PUT', '/v1/buildable/templates/t7', { title: 'again' })).status).toBe(200);
  });
});
