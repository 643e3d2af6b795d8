/** Headers that go to one host alone, by host, names in lower case. */
export type HostKeys = ReadonlyMap<string, Readonly<Record<string, string>>>;

/**
 * Reads the setting PLAT_PUBLISHER_KEYS: HOST=HEADER:VALUE separated by commas, several for a host that wants a name beside a key.
 * @throws RangeError naming the place in the list that cannot be read. It tells no value.
 */
export function parseKeys(text: string): HostKeys {
  const keys = new Map<string, Record<string, string>>();
  const entries = text.split(',').map(entry => entry.trim());
  for (const [i, entry] of entries.filter(one => one !== '').entries()) {
    const [, host, header, value] = /^([\w.-]+(?::\d+)?)=([\w-]+):\s*([\x21-\x7e]+)$/.exec(entry) ?? [];
    if (host === undefined)
      throw new RangeError(`PLAT_PUBLISHER_KEYS: entry ${i + 1} cannot be read, expected HOST=HEADER:VALUE`);
    const name = host.toLowerCase();
    keys.set(name, { ...keys.get(name), [header!.toLowerCase()]: value! });
  }
  return keys;
}
