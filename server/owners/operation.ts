import { Type } from 'typebox';
import { STATE_FIPS } from '../../datasets/codes/state-fips.ts';
import type { Unanswered } from '../../query/engine/count-task.ts';
import { FIPS } from '../../query/search/request/filter.ts';
import type { Issue } from '../../query/search/request/issue.ts';
import { type Ctx, termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import { defineOperation } from '../operation/operation.ts';
import { valueText } from '../operation/value-text.ts';
import { chooseRelease } from '../release/choice.ts';
import { BodyReader, type JsonObject } from '../search/body-reader.ts';
import { invalidSearch, SEARCH_LIMIT_MS, type SearchServices } from '../search/operation.ts';
import { endOf } from '../sets/answer.ts';
import {
  DEFAULT_OWNERS,
  LEAST_LETTERS,
  MAX_OWNERS,
  MOST_LETTERS,
  OwnerParcelsBody,
  OwnerParcelsResponse,
  OwnersBody,
  OwnersResponse,
} from './schema.ts';

type OwnerCtx = Pick<Ctx, 'catalog' | 'engine' | 'release' | 'deadline' | 'signal' | 'account' | 'requestId'>;

/** Where a page begins, and of an earlier release how the request named it and its id. */
const CURSOR = /^o([1-9]\d{0,8})(?:@([\d-]{10}|[\da-f-]{17})@([\da-f-]{17}))?$/;
const OWNER_ID = /^own_([\w-]{4,600})$/;
const OUTPUTS = ['owner', 'acreage', 'parval', 'address'];

/** An owner's id: where it was looked for and what its owner is one by, which is no secret. */
const idOf = (state: string, fips: string | null, identity: string): string =>
  `own_${Buffer.from([state, fips ?? '', identity].join('\n')).toString('base64url')}`;

/** @throws ServiceError owner_not_found where it is no id. */
function scopeOf(id: string): { readonly state: string; readonly fips: string | null; readonly identity: string } {
  const [, text] = OWNER_ID.exec(id) ?? [];
  const [state = '', fips = '', identity = '', ...more] = Buffer.from(text ?? '', 'base64url')
    .toString()
    .split('\n');
  if (!Object.hasOwn(STATE_FIPS, state) || identity === '' || more.length > 0 || (fips !== '' && !FIPS.test(fips)))
    throw new ServiceError('owner_not_found');
  return { state, fips: fips || null, identity };
}

/** A page, and the release that it is of. */
interface Page {
  readonly limit: number;
  readonly offset: number;
  /** As the request names it. */
  readonly named: string | null;
  /** The id that the cursor goes on in. */
  readonly bound: string | null;
}

/** What pages have in common. */
function readPage(reader: BodyReader, body: JsonObject): Page {
  const limit = reader.readCount(body, 'limit', { usual: DEFAULT_OWNERS, most: MAX_OWNERS });
  const named = reader.readRelease(body);
  if (!Object.hasOwn(body, 'cursor')) return { limit, offset: 0, named, bound: null };
  const [, offset, of, id] = CURSOR.exec(String(body.cursor)) ?? [];
  if (offset === undefined)
    reader.issues.say('cursor', 'The cursor is not one that this service made.', 'Begin again.');
  else if (named !== null ? named !== of && named !== id : of !== undefined)
    reader.issues.say('cursor', 'The cursor was made with another `release`, or without one.', 'Begin again.');
  return { limit, offset: Number(offset ?? 0), named, bound: id ?? null };
}

const nextOf = (more: boolean, { offset, limit, named }: Page, { release }: OwnerCtx) =>
  more ? `o${offset + limit}${named === null ? '' : `@${named}@${release.id}`}` : null;

const chooseReleaseOf = (ctx: OwnerCtx, { named, bound }: Page): void =>
  chooseRelease(ctx, { release: bound ?? named });

function refuse({ issues }: BodyReader, { requestId }: OwnerCtx): void {
  if (issues.all.length) throw invalidSearch(issues.all, requestId, issues.more);
}

/** Asks the engine. @throws ServiceError search_unavailable, search_invalid_request, worker_stopped. */
async function answerOf<A extends object>(
  answer: Promise<A | Unanswered>,
  { requestId }: OwnerCtx,
): Promise<Exclude<A, { readonly issues: readonly Issue[] } | Unanswered>> {
  const said = await answer.catch((error: unknown) => {
    const busy = { reason: 'all workers are busy and their queue is full' };
    throw engineRefusal(error, () => new ServiceError('search_unavailable', busy));
  });
  if ('uncounted' in said) throw new ServiceError('search_unavailable', { reason: String(said.uncounted) });
  if ('issues' in said) throw invalidSearch(said.issues as readonly Issue[], requestId);
  return said as Exclude<A, { readonly issues: readonly Issue[] } | Unanswered>;
}

const setOf = ({ batch, maxCandidates, maxEvaluated, maxSquareKm }: SearchServices) => ({
  filters: [],
  outputs: OUTPUTS,
  countyByFips: false,
  budget: { batch, maxCandidates, maxEvaluated, maxSquareKm },
});

/** Reads the name and where it is looked for. */
function readScope(reader: BodyReader, { state, county, name, match }: JsonObject) {
  const { issues } = reader;
  if (typeof state !== 'string' || !Object.hasOwn(STATE_FIPS, state))
    issues.say('state', 'Expected the code of a state.', 'Two letters, as "ME".');
  if (county !== undefined && (typeof county !== 'string' || !FIPS.test(county)))
    issues.say('county', 'Expected the FIPS code of a county.', 'Five digits, as "23019".');
  const length = typeof name === 'string' ? name.trim().length : 0;
  if (length < LEAST_LETTERS || length > MOST_LETTERS)
    issues.say('name', 'Expected a name.', `${LEAST_LETTERS} to ${MOST_LETTERS} characters.`);
  if (match !== undefined && match !== 'prefix' && match !== 'exact')
    issues.say('match', 'Expected one of some words.', 'It takes prefix, exact.');
  return {
    state: String(state),
    fips: typeof county === 'string' ? county : null,
    name: String(name),
    exact: match === 'exact',
  };
}

/**
 * POST /v1/owners: owners by name, with what they have.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_invalid_request, release_not_kept, search_unavailable, worker_stopped; AbortError when the client has
 * gone.
 */
async function findOwners(ctx: OwnerCtx, services: SearchServices, body: unknown): Promise<OwnersResponse> {
  const reader = new BodyReader(ctx.catalog, ctx.engine);
  const given = reader.read(body, ['state', 'county', 'name', 'match', 'limit', 'cursor', 'release']);
  const page = readPage(reader, given ?? {});
  const scope = given && readScope(reader, given);
  refuse(reader, ctx);
  chooseReleaseOf(ctx, page);
  const { state, fips } = scope!;
  const { limit, offset } = page;
  const request = { ...setOf(services), ...scope!, limit, offset };
  const { owners, more, lacking, unread, late } = await answerOf(ctx.engine.owners(request, termsOf(ctx)), ctx);
  return {
    owners: owners.map(({ identity, owner, spellings, parcels, acres, valueUsd }) => ({
      owner_id: idOf(state, fips, identity),
      owner,
      spellings: [...spellings],
      parcels,
      acres,
      value_usd: valueUsd,
    })),
    next_cursor: nextOf(more, page, ctx),
    ...endOf(lacking || unread, ctx.requestId, late),
  };
}

/** A page of parcels: its matches are JSON text already. */
interface OwnerParcels extends ReturnType<typeof endOf> {
  readonly matches: string;
  readonly next_cursor: string | null;
}

/** The response as JSON text. */
const ownerParcelsText = ({ matches, ...rest }: OwnerParcels): string =>
  `{"matches":${matches},${JSON.stringify(rest).slice(1)}`;

/**
 * POST /v1/owners/parcels: the parcels of one owner.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_invalid_request, owner_not_found, release_not_kept, search_unavailable, worker_stopped; AbortError
 * when the client has gone.
 */
async function findOwnerParcels(ctx: OwnerCtx, services: SearchServices, body: unknown): Promise<OwnerParcels> {
  const reader = new BodyReader(ctx.catalog, ctx.engine);
  const given = reader.read(body, ['owner_id', 'limit', 'cursor', 'release']);
  const page = readPage(reader, given ?? {});
  if (given && typeof given.owner_id !== 'string')
    reader.issues.say('owner_id', 'Expected the id of an owner.', 'POST /v1/owners answers it.');
  refuse(reader, ctx);
  chooseReleaseOf(ctx, page);
  const { limit, offset } = page;
  const request = { ...setOf(services), ...scopeOf(String(given!.owner_id)), limit, offset };
  const answer = await answerOf(ctx.engine.ownerParcels(request, termsOf(ctx)), ctx);
  const { matches, count, more, lacking, unread, late } = answer;
  if (count === 0 && !lacking && !unread) throw new ServiceError('owner_not_found');
  return { matches, next_cursor: nextOf(more, page, ctx), ...endOf(lacking || unread, ctx.requestId, late) };
}

const OWNER_TERMS = {
  tag: 'Sets of parcels',
  judge: 'operation',
  scopes: ['read'],
  price: { credits: 0, unit: 'per call' },
  rate: 'plan',
  withoutState: true,
  limitMs: SEARCH_LIMIT_MS,
  page: 'docs/analysis.md',
} as const;

/** POST /v1/owners. */
export const ownersOperation = defineOperation({
  ...OWNER_TERMS,
  id: 'owners',
  route: 'POST /v1/owners',
  summary: 'Owners by name, with what they have',
  description:
    'However rolls spell them: entity forms, the order of names and `&` make no other owner. With the number of parcels, acres and value. Where the release has no owners, or not of all counties, `status` is `partial`. Free.',
  body: OwnersBody,
  response: OwnersResponse,
  errors: ['search_invalid_request', 'search_unavailable', 'release_not_kept'],
  example: ({ state }) => ({ state, name: 'town of', limit: 3 }),
  tool: {
    tool: 'sets',
    operation: 'owners',
    says: 'who owns how much by name',
    takes: {
      state: Type.String({ description: 'owners: two letters.' }),
      county: Type.String({ description: 'owners: FIPS code, five digits.' }),
      name: Type.String({ description: 'owners: 3-128 letters.' }),
      match: Type.String({ description: 'owners: prefix (default) or exact.' }),
    },
    text({ owners, status, completion_reason: reason }) {
      const lines = owners.map(
        ({ owner_id: id, owner, parcels, acres, value_usd: value }) =>
          `${owner} (${id}): ${parcels} parcels, ${valueText(acres)} acres, ${valueText(value)} USD`,
      );
      return { lines: [`${lines.length} owners; ${status}, ${reason}.`, ...lines] };
    },
  },
  command: { name: 'owners', summary: 'Find owners in the current release by name, with what they have' },
  answer: findOwners,
});

/** POST /v1/owners/parcels. */
export const ownerParcelsOperation = defineOperation({
  ...OWNER_TERMS,
  id: 'ownerParcels',
  route: 'POST /v1/owners/parcels',
  summary: 'The parcels of one owner',
  description: 'As a search writes its matches, with `parcel_id`, in stored order, page by page. Free.',
  body: OwnerParcelsBody,
  response: OwnerParcelsResponse,
  errors: ['search_invalid_request', 'search_unavailable', 'owner_not_found', 'release_not_kept'],
  example: () => ({ owner_id: '$OWNER_ID', limit: 3 }),
  needs: { OWNER_ID: { of: 'owners', property: 'owner_id', like: idOf('ME', null, 'SMITH') } },
  tool: {
    tool: 'sets',
    operation: 'owner_parcels',
    says: 'and where',
    takes: { owner_id: Type.String({ description: 'owner_parcels.' }) },
    text({ matches, status, completion_reason: reason }) {
      const list = JSON.parse(matches) as { parcel_id: string; apn: string | null }[];
      const lines = list.map(({ parcel_id: id, apn }) => `${id} (${apn ?? 'without number'})`);
      return { lines: [`${lines.length} parcels; ${status}, ${reason}.`, ...lines] };
    },
  },
  command: { name: 'owner-parcels', summary: 'List the parcels of one owner' },
  answer: findOwnerParcels,
  written: ownerParcelsText,
});
