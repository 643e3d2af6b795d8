import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors/registry.ts';
import { clientOf } from '../http/client.ts';
import { InFlight } from '../http/in-flight.ts';
import type { Account } from '../state/account.ts';
import { Pace } from './pace.ts';

/** What one client may have under way. */
export interface Shares {
  /** Requests of one account at once; 0 is no limit. */
  readonly accountRequests: number;
  /** Requests without a token from one address at once; 0 is no limit. */
  readonly addressRequests: number;
}

const BUSY_SECONDS = 1;

/** Lets requests in, or refuses them before their body is read: so many at once of one account, or of one address. */
export class Admission {
  readonly #accounts: InFlight;
  readonly #addresses: InFlight;
  readonly #pace = new Pace();

  constructor({ accountRequests, addressRequests }: Shares) {
    this.#accounts = new InFlight(accountRequests);
    this.#addresses = new InFlight(addressRequests);
  }

  /** @throws ServiceError rate_limited when the account has as many under way as it may. */
  async admitAccount(account: Account, reply: FastifyReply): Promise<void> {
    const leave = this.#accounts.enter(account.id);
    if (leave) reply.raw.once('close', leave);
    else await this.refuse(account.id, tooMany(`requests of this account at once`, this.#accounts.most));
  }

  /** @throws ServiceError rate_limited when as many come from the address without a token as may. */
  async admitAddress(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const address = addressOf(request);
    if (this.#addresses.isLimited && this.#pace.isTooFast(address))
      await this.refuse(address, tooMany('requests without a token a second from this address'));
    const leave = this.#addresses.enter(address);
    if (leave) reply.raw.once('close', leave);
    else
      await this.refuse(address, tooMany(`requests without a token at once from this address`, this.#addresses.most));
  }

  /** Refuses who shows no token that holds; an address that goes on trying is refused for that. @throws ServiceError. */
  async refuseStranger(request: FastifyRequest, error: ServiceError): Promise<never> {
    const address = addressOf(request);
    const often = this.#pace.isOver(address);
    return this.refuse(address, often ? tooMany('refused requests a second from this address') : error);
  }

  /** Refuses at once, or a second later whom that would not slow down. @throws ServiceError. */
  async refuse(owner: string, error: ServiceError): Promise<never> {
    await this.#pace.hold(owner);
    throw error;
  }
}

const addressOf = (request: FastifyRequest) => `address ${clientOf(request.ip)}`;

const tooMany = (what: string, most?: number) =>
  new ServiceError(
    'rate_limited',
    { what: `${most === undefined ? 'Too many' : `More than ${most}`} ${what}` },
    {},
    BUSY_SECONDS,
  );
