import { type Static, Type } from 'typebox';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { ServiceError } from '../errors/registry.ts';

const ID = '[0-9]{8}-[0-9a-f]{8}';
const DAY = '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])';

/** How a release is named: its id, or a day. */
export const RELEASE_NAME = new RegExp(`^(?:${ID}|${DAY})$`);

/** What the key says, to callers. */
const RELEASE_RULES =
  'The release to answer from: an id as `X-Service-Release` names it, or a day as `2026-11-20` for the one that was published last by its end in UTC. The current one without it.';

/** The key that names the release to answer from. */
export const RELEASE_KEY = {
  release: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: RELEASE_NAME.source,
      description: RELEASE_RULES,
    }),
  ),
};
const ReleaseKey = Type.Object(RELEASE_KEY);

/** The same where null is not taken. */
export const ReleaseName = Type.Optional(Type.String({ pattern: RELEASE_NAME.source, description: RELEASE_RULES }));

/**
 * The release that all of one request is answered from: the one that was current when it came, until it names another one.
 */
export class ReleaseChoice {
  #id: string | null;
  #isPast = false;
  /** Whether the current release too is told as it was published, without later corrections. */
  readonly isAsPublished: boolean;
  /** What answers came from. */
  #source: string | null = null;

  constructor(engine: Pick<Engine, 'status'>, isAsPublished = false) {
    this.#id = engine.status().release;
    this.isAsPublished = isAsPublished;
  }

  /** The release that is read; null where nothing was published. */
  get id(): string | null {
    return this.#id;
  }

  /** Whether the request named a release that is not the current one. */
  get isPast(): boolean {
    return this.#isPast;
  }

  /** The release that the answer came from; null as long as nothing was read. */
  get source(): string | null {
    return this.#source;
  }

  /** Id to read from, undefined where nothing was published; what is read is part of the answer. */
  take(): string | undefined {
    this.#source = this.#id;
    return this.#id ?? undefined;
  }

  /** An answer was stored before, from this release. */
  name(id: string): void {
    this.#source = id;
  }

  /** From now on this one is read. */
  choose(id: string): void {
    this.#isPast = id !== this.#id;
    this.#id = id;
  }
}

/** @throws ServiceError release_not_kept. @param named what was asked for, in words. */
export function requireKept(engine: Pick<Engine, 'keptReleases'>, id: string | null, named = id): void {
  const kept = engine.keptReleases();
  if (id !== null && kept.includes(id)) return;
  const list = kept.length > 0 ? `Kept are ${kept.join(', ')}` : 'None is kept';
  throw new ServiceError('release_not_kept', { release: named!, kept: list }, { kept });
}

/**
 * Has a request answered from the release that it names.
 * @param name of the form RELEASE_NAME; null and undefined count as not given.
 * @throws ServiceError release_not_kept.
 */
export function chooseRelease(
  { engine, release }: { readonly engine: Pick<Engine, 'keptReleases' | 'releaseBy'>; readonly release: ReleaseChoice },
  { release: name }: Static<typeof ReleaseKey>,
): void {
  if (name == null) return;
  const isDay = name.length === 10;
  const id = isDay ? engine.releaseBy(`${name}T23:59:59.999Z`) : name;
  requireKept(engine, id, isDay ? `published by ${name}` : name);
  release.choose(id!);
}
