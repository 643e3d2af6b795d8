import { randomFrom } from '../../../bench/proximity/roads.ts';
import { buildGraph } from '../../../query/route/graph-builder.ts';
import { RoadLines, UNITS } from '../../../query/route/road-lines.ts';
import type { PlainRoad, PlainRule } from './plain-search.ts';

/** A town of `side` × `side` crossings with one-way streets, gaps and turn rules, and an island that no bridge leads to. */
export function town(side: number, seed: number) {
  const random = randomFrom(seed);
  const near = () => (random() - 0.5) * 0.0008;
  const crossing = Array.from({ length: side * side }, (_, i) => [
    -76.6 + 0.003 * (i % side) + near(),
    39.3 + 0.002 * Math.floor(i / side) + near(),
  ]);
  const roads: PlainRoad[] = [];
  const street = (a: number[], b: number[]) => {
    const bend = [(a[0]! + b[0]!) / 2 + near() / 4, (a[1]! + b[1]!) / 2 + near() / 4];
    const speed = [20, 30, 50, 90][Math.floor(random() * 4)]!;
    const oneway = random();
    roads.push({
      xy: [...a, ...bend, ...b],
      forward: oneway < 0.1 ? 0 : speed,
      backward: oneway > 0.8 ? 0 : random() < 0.1 ? speed / 2 : speed,
    });
  };
  for (let i = 0; i < side * side; i++) {
    if ((i + 1) % side && random() < 0.9) street(crossing[i]!, crossing[i + 1]!);
    if (i + side < side * side && random() < 0.9) street(crossing[i]!, crossing[i + side]!);
  }
  const island = roads.length;
  street([-76.5, 39.2], [-76.499, 39.201]);
  const rules: PlainRule[] = [];
  const ends = ({ xy }: PlainRoad) => [`${xy[0]},${xy[1]}`, `${xy[4]},${xy[5]}`];
  for (let tries = 0; tries < roads.length; tries++) {
    const from = Math.floor(random() * roads.length);
    const at = random() < 0.5 ? 0 : 4;
    const place = [roads[from]!.xy[at]!, roads[from]!.xy[at + 1]!] as const;
    const others = [...roads.keys()].filter(i => i !== from && ends(roads[i]!).includes(`${place[0]},${place[1]}`));
    if (others.length < 2 || rules.some(rule => rule.from === from)) continue;
    rules.push({ from, to: others[Math.floor(random() * others.length)]!, at: place, only: random() < 0.3 });
  }
  const lines = new RoadLines();
  for (const { xy, forward, backward } of roads) lines.add(xy, forward, backward);
  for (const { from, to, at, only } of rules)
    lines.forbid({ from, to, lng: Math.round(at[0] * UNITS), lat: Math.round(at[1] * UNITS), only });
  return { roads, rules, island, graph: buildGraph(lines) };
}
