import { BlockList, isIPv6 } from 'node:net';

/** IPv4 networks that are not part of the public Internet (IANA special-purpose registry, RFC 6890). */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** The only IPv6 unicast addresses that IANA has assigned. Mapped, NAT64, ULA, link-local and multicast lie outside. */
const PUBLIC_V6 = '2000::/3';
/** Exceptions within: protocols (Teredo, ORCHID, benchmarks), 6to4 (which hides an IPv4 address), documentation. */
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Makes a list of addresses and networks such as `10.0.0.0/8`. @throws Error when an entry is neither. */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Whether a list contains an address. @param address in the form of `node:net`, without a zone. */
export const holds = (list: BlockList, address: string): boolean =>
  list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

const refusedV4 = networkList(NOT_PUBLIC_V4);
const publicV6 = networkList([PUBLIC_V6]);
const refusedV6 = networkList(NOT_PUBLIC_V6);

/**
 * Whether an address is on the public Internet: not private, loopback, link-local, shared (CGNAT), mapped, translated,
 * tunnelled, multicast, documentation or unspecified.
 * @param address a complete IPv4 or IPv6 address. One with a zone is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  return isIPv6(address) ? holds(publicV6, address) && !holds(refusedV6, address) : !holds(refusedV4, address);
}
