/** Land as a test has it: pieces with a size and owners, and which lie side by side or overlap. */
export interface PlainLand {
  readonly sizes: readonly number[];
  readonly parcels: readonly number[];
  readonly owners: readonly (readonly number[])[];
  /** Pairs of pieces. */
  readonly beside: readonly (readonly [number, number])[];
  readonly clashes: readonly (readonly [number, number])[];
}

interface PlainRule {
  readonly size: number;
  readonly owners: number | null;
  readonly parcels: number;
  /** A piece that is in every group. */
  readonly fixed: number | null;
}

/** Whether pieces hang together, by union and find. */
function isOne(pieces: readonly number[], beside: PlainLand['beside']): boolean {
  const root = new Map(pieces.map(piece => [piece, piece]));
  const find = (piece: number): number => (root.get(piece) === piece ? piece : find(root.get(piece)!));
  for (const [a, b] of beside) if (root.has(a) && root.has(b)) root.set(find(a), find(b));
  return new Set(pieces.map(find)).size === 1;
}

/** All groups that a rule allows, by trying every set of pieces there is; least size first, then piece by piece. */
export function everyGroup(land: PlainLand, rule: PlainRule): { pieces: number[]; size: number }[] {
  const n = land.sizes.length;
  const sizeOf = (pieces: readonly number[]) => pieces.reduce((sum, piece) => sum + land.sizes[piece]!, 0);
  const fits = (pieces: readonly number[]): boolean => {
    const owners = new Set(pieces.flatMap(piece => land.owners[piece]!));
    return (
      pieces.length > 1 &&
      sizeOf(pieces) >= rule.size &&
      pieces.every(piece => land.sizes[piece]! < rule.size) &&
      pieces.reduce((sum, piece) => sum + land.parcels[piece]!, 0) <= rule.parcels &&
      (rule.owners === null || owners.size <= rule.owners) &&
      (rule.fixed === null || pieces.includes(rule.fixed)) &&
      land.clashes.every(([a, b]) => !pieces.includes(a) || !pieces.includes(b)) &&
      isOne(pieces, land.beside)
    );
  };
  const sets: number[][] = [];
  for (let mask = 1; mask < 2 ** n; mask++) {
    const pieces = [...Array(n).keys()].filter(piece => Math.floor(mask / 2 ** piece) % 2 === 1);
    if (fits(pieces)) sets.push(pieces);
  }
  const isSpare = (pieces: readonly number[], piece: number): boolean => {
    const left = pieces.filter(other => other !== piece);
    return piece !== rule.fixed && sizeOf(left) >= rule.size && isOne(left, land.beside);
  };
  return sets
    .filter(pieces => !pieces.some(piece => isSpare(pieces, piece)))
    .map(pieces => ({ pieces, size: sizeOf(pieces) }))
    .sort((a, b) => a.size - b.size || compare(a.pieces, b.pieces));
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((piece, i) => piece !== b[i]);
  return at < 0 ? a.length - b.length : a[at]! - (b[at] ?? -1);
}
