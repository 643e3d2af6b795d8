import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors/registry.ts';
import { ownerOf } from '../http/client.ts';
import { InFlight } from '../lease/in-flight.ts';
import type { Lease } from '../lease/lease.ts';
import { tellQuota } from './limit.ts';
import { EACH_SECOND, Pace } from './pace.ts';

/** How many requests one client may have in progress. */
export interface Shares {
  /** Requests of one account at once; 0 is no limit. */
  readonly accountRequests: number;
  /** Requests without a token from one address at once; 0 is no limit. */
  readonly addressRequests: number;
}

const BUSY_SECONDS = 1;

/** Admits or refuses requests before their body is read, by the number in progress for an account or an address. */
export class Admission {
  readonly #accounts: InFlight;
  readonly #addresses: InFlight;
  readonly #pace = new Pace();

  constructor({ accountRequests, addressRequests }: Shares) {
    this.#accounts = new InFlight('account', accountRequests);
    this.#addresses = new InFlight('address', addressRequests);
  }

  /**
   * @param owner account, as of `ownerOf`.
   * @throws ServiceError rate_limited when it is at its limit; AbortError when the client has gone.
   */
  async admitAccount(owner: string, reply: FastifyReply): Promise<void> {
    const slot = this.#accounts.enter(owner);
    if (slot) keep(slot, reply);
    else await this.refuse(owner, tooMany(`requests of this account at once`, this.#accounts.most));
  }

  /** @throws ServiceError rate_limited when the address is at its limit of requests without a token; AbortError as before. */
  async admitAddress(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const address = ownerOf(request);
    if (this.#addresses.isLimited) {
      const remaining = EACH_SECOND - this.#pace.count(address);
      tellQuota(reply, { window: 'second', limit: EACH_SECOND, remaining: Math.max(0, remaining), seconds: 1 });
      if (remaining < 0) await this.refuse(address, tooMany('requests without a token a second from this address'));
    }
    const slot = this.#addresses.enter(address);
    if (slot) keep(slot, reply);
    else
      await this.refuse(address, tooMany(`requests without a token at once from this address`, this.#addresses.most));
  }

  /**
   * Refuses a request without a valid token. Too many from one address get rate_limited. @throws ServiceError always.
   */
  async refuseStranger(request: FastifyRequest, error: ServiceError): Promise<never> {
    const address = ownerOf(request);
    const often = this.#pace.isOver(address);
    return this.refuse(address, often ? tooMany('refused requests a second from this address') : error);
  }

  /** Refuses at once, or a second later when the owner ignores refusals. @throws ServiceError always. */
  async refuse(owner: string, error: ServiceError): Promise<never> {
    await this.#pace.hold(owner);
    throw error;
  }
}

/** Keeps a slot until the response has ended. @throws AbortError when it has: nobody waits for more work. */
function keep(slot: Lease, { raw }: FastifyReply): void {
  if (!slot.until(raw).isHeld) throw new DOMException('The client has gone', 'AbortError');
}

const tooMany = (what: string, most?: number) =>
  new ServiceError(
    'rate_limited',
    { what: `${most === undefined ? 'Too many' : `More than ${most}`} ${what}` },
    {},
    BUSY_SECONDS,
  );
