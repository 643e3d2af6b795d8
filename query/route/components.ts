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

/**
 * Parts of a network in which every node leads to every other (Tarjan 1972, without recursion).
 * @param first,heads arcs by the node they leave, in compressed rows.
 * @returns the part of each node, and the number of nodes of each part.
 */
export function strongComponentsOf(first: Uint32Array, heads: Uint32Array) {
  const nodes = first.length - 1;
  const part = new Uint32Array(nodes);
  const sizes: number[] = [];
  /** Order in which nodes are met, from 1; 0 for those not met yet. */
  const order = new Uint32Array(nodes);
  const lowest = new Uint32Array(nodes);
  const next = first.slice(0, nodes);
  const isOpen = new Uint8Array(nodes);
  /** Nodes without a part, in the order met; and the nodes from the root to the present one. */
  const [open, path]: [number[], number[]] = [[], []];
  let met = 0;
  const meet = (node: number) => {
    order[node] = lowest[node] = ++met;
    isOpen[node] = 1;
    open.push(node);
    path.push(node);
  };
  for (let root = 0; root < nodes; root++) {
    if (order[root] === 0) meet(root);
    while (path.length > 0) {
      const node = path.at(-1)!;
      if (next[node]! < first[node + 1]!) {
        const head = heads[next[node]!++]!;
        if (order[head] === 0) meet(head);
        else if (isOpen[head]) lowest[node] = Math.min(lowest[node]!, order[head]!);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lowest[parent] = Math.min(lowest[parent]!, lowest[node]!);
      if (lowest[node] !== order[node]) continue;
      const members = open.splice(open.lastIndexOf(node));
      for (const member of members) {
        part[member] = sizes.length;
        isOpen[member] = 0;
      }
      sizes.push(members.length);
    }
  }
  return { part, sizes };
}
