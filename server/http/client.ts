import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** An IPv4 address in the form of IPv6, as sockets that listen to both give it: its last group or groups. */
const MAPPED = /^(?:0*:)*:?ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i;

/** The first groups of an IPv6 address, or an IPv4 address. */
function beginning(ip: string, groupCount: number): string {
  if (!isIPv6(ip)) return ip;
  const mapped = MAPPED.exec(ip);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (mapped)
    return mapped
      .slice(2)
      .flatMap(group => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join('.');
  const [head = '', tail] = ip.toLowerCase().split('%')[0]!.split('::');
  const groups = head.split(':').filter(group => group !== '');
  const rest = tail?.split(':').filter(group => group !== '') ?? [];
  const all =
    tail === undefined
      ? groups
      : [...groups, ...Array(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest];
  return all
    .slice(0, groupCount)
    .map(group => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/**
 * The key that identifies a client: its IPv4 address, or the /64 network of its IPv6 address (one subscriber has one).
 */
export const clientOf = (ip: string): string => beginning(ip, 4);

/**
 * The key of the network that a client belongs to: its IPv4 address, or the /48 network of its IPv6 address, which is the
 * most that one subscriber gets (RFC 6177).
 */
export const networkOf = (ip: string): string => beginning(ip, 3);

/**
 * Whom a request is counted for: its account, or as long as none is known the address of its client. Where credentials are
 * taken back it is the account at that client and with that kind of credential: others who act for it use up nothing of theirs.
 */
export function ownerOf({
  account,
  credential,
  ip,
  routeOptions,
}: Pick<FastifyRequest, 'account' | 'credential' | 'ip' | 'routeOptions'>): string {
  const client = clientOf(ip);
  if (!account) return `address ${client}`;
  return routeOptions.config.revokes ? `${account.id} with a ${credential?.kind} from ${client}` : account.id;
}
