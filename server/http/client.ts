import { isIPv6 } from 'node:net';

/** What stands for a client: its address, of IPv6 the network of 64 bits that one subscriber has. */
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
