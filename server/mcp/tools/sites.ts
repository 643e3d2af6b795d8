import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { creditsOf } from '../../credits/price.ts';
import { listSites, readSiteRecord, registerSite, SITE_LIMIT_MS, SITE_MESSAGES } from '../../sites/operation.ts';
import { MAX_ACRES, MAX_VERTICES, SiteBody } from '../../sites/schema.ts';
import { toolCall } from '../refused-call.ts';
import { shortText } from '../text.ts';
import { type Call, form, type Tool } from '../tool.ts';
import { LIST_KEYS, listForm } from './list-form.ts';

/** Milliseconds to wait for a site when the client asked for progress, and between two looks at it. */
const WAIT_MS = 60_000;
const LOOK_MS = 500;

const ReadBody = Type.Object({ site_id: Type.String() }, { additionalProperties: false });
const ListBody = Type.Object(LIST_KEYS, { additionalProperties: false });

/** Waits until a site is screened or the time is over. @returns its record. */
async function screened({ ctx, progress }: Call, siteId: string) {
  const end = ctx.clock.now() + WAIT_MS;
  for (let looks = 1; ; looks++) {
    const site = await readSiteRecord(ctx, siteId);
    if (site.status !== 'building' || ctx.clock.now() >= end) return site;
    progress.tell(looks, undefined, 'screening the site');
    await sleep(LOOK_MS, undefined, { signal: ctx.signal });
  }
}

/** POST /v1/sites and GET /v1/sites/{site_id}. */
export const sitesTool: Tool = {
  name: 'sites',
  title: 'Register or read a site',
  remark: 'a call that asks for progress returns when the site is screened',
  description: () =>
    `With site (a GeoJSON polygon of at most ${MAX_ACRES.toLocaleString('en-US')} acres and ${MAX_VERTICES.toLocaleString('en-US')} vertices): registers it to be screened once, ${creditsOf('POST /v1/sites')} credits. With site_id: its status, free. Ask about it with service_ask_site when it is ready. Who asks for progress waits for that.`,
  when: 'A polygon of land: {tool} screens it.',
  readOnly: false,
  forms: [
    listForm({ schema: ListBody, route: 'GET /v1/sites' }, listSites),
    form({
      key: 'site_id',
      schema: ReadBody,
      route: 'GET /v1/sites/{site_id}',
      limitMs: SITE_LIMIT_MS,
      async answer({ ctx }, { site_id }) {
        const site = await readSiteRecord(ctx, site_id);
        return { structured: site, text: shortText([`${site.site_id} is ${site.status}: ${site.site_acres} acres.`]) };
      },
    }),
    form({
      schema: SiteBody,
      route: 'POST /v1/sites',
      limitMs: SITE_LIMIT_MS,
      async answer(call, body) {
        const { ctx, progress } = call;
        const accepted = await registerSite(ctx, body);
        const beside = { next: toolCall('sites', { site_id: accepted.site_id }) };
        if (!progress.wanted || accepted.status !== 'building')
          return { beside, structured: accepted, text: shortText([`${accepted.site_id}: ${accepted.message}`]) };
        const { status } = await screened(call, accepted.site_id);
        const message = SITE_MESSAGES[status];
        return {
          beside,
          structured: { ...accepted, status, message },
          text: shortText([`${accepted.site_id} is ${status}.`]),
        };
      },
    }),
  ],
};
