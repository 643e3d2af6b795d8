import { readArea } from '../../query/search/page/geojson.ts';
import { Hopeless, type JobKind } from '../jobs/job-kind.ts';
import { parseSearchBody } from '../search/body.ts';
import { siteScreened, siteUnscreened } from '../state/sites.ts';
import { screen } from './dossier.ts';

/** Screens registered sites: of one account one after the other, so that they keep only one worker of a process busy. */
export const screeningJob: JobKind<{ readonly site_id: string }> = {
  name: 'screening',
  summary: 'Finds out what is known of a site.',
  atOnce: 2,
  attempts: 4,
  retryMs: 5_000,
  mostMs: 60_000,
  async run(services, { data: { site_id: id }, signal }) {
    const { state, clock } = services;
    const work = await state.sites.begin(id);
    if (!work) return undefined;
    const { acres, extent } = work;
    const geometry = readArea(parseSearchBody(Buffer.from(work.geometry)), 'site', Infinity);
    if ('description' in geometry) throw new Hopeless(`the stored polygon cannot be read: ${geometry.description}`);
    const dossier = await screen(services, geometry, { acres, extent }, signal);
    return siteScreened(id, JSON.stringify(dossier), dossier.release ?? '', clock.now());
  },
  ended: ({ data }, { error }) => siteUnscreened(data.site_id, error),
};
