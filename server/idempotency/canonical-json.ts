const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** The same value with the names of its objects in order. What holds numbers alone stays as it is: it may be twenty thousand positions. */
function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value)
        .sort(byName)
        .map(([name, of]) => [name, ordered(of)]),
    );
  return value.every(of => typeof of === 'number') ? value : value.map(ordered);
}

/**
 * Writes what a JSON text said so that the same values give the same text, whatever the order of their names. Stored digests are of
 * this text, so it never changes: names that are whole numbers come first, by value, as in every object.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(ordered(value));
