/**
 * Derives something once from each object that never changes (a declaration, an opened release, a partition, a feature) and
 * keeps it for as long as the object lives.
 * @param make of the object; what else it is given must be the same every time for that object. What it throws is not kept.
 * @returns the same value for the same object, also where that is null.
 */
export function memo<K extends object, V, More extends readonly unknown[]>(
  make: (of: K, ...more: More) => V,
): (of: K, ...more: More) => V {
  const values = new WeakMap<K, { readonly value: V }>();
  return (of, ...more) => {
    let kept = values.get(of);
    if (kept === undefined) {
      kept = { value: make(of, ...more) };
      values.set(of, kept);
    }
    return kept.value;
  };
}
