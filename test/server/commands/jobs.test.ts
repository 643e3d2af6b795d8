import { afterEach, expect, it, vi } from 'vitest';
import type { Terminal } from '../../../query/engine/command.ts';
import { commands } from '../../../server/commands.ts';
import { jobOf } from '../../../server/jobs/job-kind.ts';
import { registerSite } from '../../../server/sites/operation.ts';
import { screeningJob } from '../../../server/sites/screening-job.ts';
import { contextFor, openFixture } from '../service-fixture.ts';
import { square } from '../sites/site-shapes.ts';
import { describeStores } from '../state/state-stores.ts';

async function run(name: string, args: string[] = [], options: Record<string, string> = { limit: '50' }) {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal: Terminal = {
    json: true,
    interactive: false,
    out: line => out.push(line),
    err: line => err.push(line),
  };
  await commands.find(found => found.name === name)!.run(args, options, terminal);
  return out.length > 0 ? JSON.parse(out.join('')) : null;
}

describeStores('plat jobs', kind => {
  afterEach(() => vi.unstubAllEnvs());

  it('lists and shows jobs, cancels what waits with what that changes, and lets it be done again', async () => {
    const place = await kind.place();
    vi.stubEnv('PLAT_HOME', place.home);
    vi.stubEnv('PLAT_STATE_URL', place.url);
    vi.stubEnv('PLAT_TOKEN_SECRET', 'a secret for tests that is long enough');
    vi.stubEnv('PLAT_CURSOR_SECRET', 'a secret for tests that is long enough');
    const state = await kind.open(place);
    const fixture = await openFixture({ state });
    const { site_id } = await registerSite(contextFor(fixture), { site: square() });
    const statusOf = async () => (await state.sites.site(fixture.account.id, site_id, fixture.clock.time))!.status;
    await state.jobs.enqueue(jobOf(screeningJob, 'another', { site_id: 'another' }, null));

    const { jobs } = await run('jobs list', [], { limit: '50', kind: 'screening', status: 'waiting' });
    expect(jobs).toHaveLength(2);
    const { id } = jobs.find(({ key }: { key: string }) => key === site_id);
    expect((await run('jobs list', [], { limit: '1' })).jobs).toHaveLength(1);
    await expect(run('jobs list', [], { limit: '0' })).rejects.toThrow('--limit from 1');
    await expect(run('jobs list', [], { limit: '5', status: 'lost' })).rejects.toThrow('expected --status');
    expect(await run('jobs show', [id])).toMatchObject({
      ...{
        id,
        kind: 'screening',
        key: site_id,
        account: fixture.account.id,
        status: 'waiting',
        attempt: 0,
        data: { site_id },
      },
    });
    await expect(run('jobs show', ['no-such-job'])).rejects.toThrow('there is no job no-such-job');

    await expect(run('jobs retry', [id])).rejects.toThrow('no job that failed or was cancelled');
    await run('jobs cancel', [id]);
    expect([(await state.jobs.job(id))!.status, await statusOf()]).toEqual(['cancelled', 'failed']);
    await expect(run('jobs cancel', [id])).rejects.toThrow('no job that waits or runs');
    await run('jobs retry', [id]);
    expect((await state.jobs.job(id))!.status).toBe('waiting');
  });
});
