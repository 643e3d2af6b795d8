/**
 * Parts of a network that no arc joins, whichever way it leads (union by size, paths halved).
 * @param tails,heads nodes that each arc leads from and to.
 * @returns the part of each node, numbered as its first node comes.
 */
export function componentsOf(nodes: number, tails: Uint32Array, heads: Uint32Array): Uint32Array {
  const parent = Uint32Array.from({ length: nodes }, (_, node) => node);
  const size = new Uint32Array(nodes).fill(1);
  const rootOf = (node: number): number => {
    let at = node;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  };
  for (let arc = 0; arc < heads.length; arc++) {
    const [a, b] = [rootOf(tails[arc]!), rootOf(heads[arc]!)];
    if (a === b) continue;
    const [small, large] = size[a]! < size[b]! ? [a, b] : [b, a];
    parent[small] = large;
    size[large]! += size[small]!;
  }
  const numbers = new Map<number, number>();
  return Uint32Array.from({ length: nodes }, (_, node) => {
    const root = rootOf(node);
    let number = numbers.get(root);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(root, number);
    }
    return number;
  });
}
