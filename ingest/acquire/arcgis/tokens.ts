/**
 * Reads the setting PLAT_ARCGIS_TOKENS: HOST=TOKEN separated by commas; HOST may have a port.
 * @throws RangeError naming the host, or the place in the list, that cannot be read. It tells no token.
 */
export function parseTokens(text: string): ReadonlyMap<string, string> {
  const entries = text
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
    .map((entry, i): [string, string] => {
      const equals = entry.indexOf('=');
      const [host, token] = [entry.slice(0, Math.max(0, equals)).toLowerCase(), entry.slice(equals + 1)];
      if (!/^[a-z\d.-]+(?::\d+)?$/.test(host))
        throw new RangeError(`PLAT_ARCGIS_TOKENS: entry ${i + 1} names no host, expected HOST=TOKEN`);
      if (token === '') throw new RangeError(`PLAT_ARCGIS_TOKENS: ${host} has no token, expected HOST=TOKEN`);
      return [host, token];
    });
  return new Map(entries);
}
