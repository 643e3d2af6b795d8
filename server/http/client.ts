import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The key that identifies a client: its IPv4 address, or the /64 network of its IPv6 address (one subscriber has one).
 */
export function clientOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = ip.toLowerCase().split('%')[0]!.split('::');
  const groups = head.split(':').filter(group => group !== '');
  const rest = tail?.split(':').filter(group => group !== '') ?? [];
  const all =
    tail === undefined
      ? groups
      : [...groups, ...Array(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest];
  return all
    .slice(0, 4)
    .map(group => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** Whom a request is counted for: its account, or as long as none is known the address of its client. */
export const ownerOf = ({ account, ip }: Pick<FastifyRequest, 'account' | 'ip'>): string =>
  account?.id ?? `address ${clientOf(ip)}`;
