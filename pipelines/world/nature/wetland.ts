import { type Feature, type Position, type Ring, round7 } from '../format/feature.ts';
import { EXTENT, METRES, metresBetween, toFrame, vertex } from '../frame.ts';
import { Random } from '../random.ts';
import { squareMetres } from '../settlement/census.ts';
import type { Lattice } from './lattice.ts';
import type { Pond } from './stream.ts';
import type { Terrain } from './terrain.ts';

/** A polygon of the wetland map. */
export interface Wetland {
  readonly code: string;
  readonly type: string;
  readonly ring: Ring;
}

/** A rounded, uneven outline around a point, counter-clockwise. */
export function blob(random: Random, [lng, lat]: Position, radius: number, uneven = 0.25): Ring {
  const corners = Array.from({ length: 18 }, (_, i): Position => {
    const angle = (i * Math.PI) / 9;
    const r = radius * (1 + uneven * random.between(-1, 1));
    return [round7(lng + (r * Math.cos(angle)) / METRES[0]), round7(lat + (r * Math.sin(angle)) / METRES[1])];
  });
  return [...corners, corners[0]!];
}

/** Open water of the ponds, as NHD draws it and the wetland map repeats it. */
export function pondRing(seed: number, pond: Pond): Ring {
  return blob(new Random(seed, pond.id, 'ponds'), pond.centre, pond.radius, 0.15);
}

/** Wetlands away from the ponds, apart from each other, and the ponds themselves. */
export function wetlands(terrain: Terrain, lattice: Lattice, ponds: readonly Pond[]): Wetland[] {
  const random = new Random(terrain.seed, 'wetlands');
  const out: Wetland[] = ponds.map(pond => ({
    code: 'PUBHx',
    type: 'Freshwater Pond',
    ring: pondRing(terrain.seed, pond),
  }));
  const taken: { at: Position; radius: number }[] = ponds.map(p => ({ at: p.centre, radius: p.radius * 1.2 }));
  for (let tries = 0; tries < 800 && taken.length < 120; tries++) {
    const along = random.between(EXTENT.west + 400, EXTENT.east - 400);
    const at = vertex(along, random.between(0, EXTENT.inland - 400));
    const radius = random.between(40, 220);
    const far = taken.every(o => metresBetween(o.at, at) > (o.radius + radius) * 1.3);
    const dry = random.chance(lattice.urban(...at));
    // Each state maps its own: none lies across the line.
    if (!far || dry || terrain.inland(...at) < 350 || Math.abs(along) < radius * 1.3) continue;
    taken.push({ at, radius });
    const forested = random.chance(0.6);
    out.push({
      code: forested ? 'PFO4E' : 'PEM1C',
      type: forested ? 'Freshwater Forested/Shrub Wetland' : 'Freshwater Emergent Wetland',
      ring: blob(random, at, radius),
    });
  }
  for (const side of [-1, 1]) {
    const shore = lattice.eastward(0).filter(p => Math.abs(toFrame(p)[0] - side * 3800) < 900);
    const deep = shore.map(p => vertex(toFrame(p)[0], toFrame(p)[1] - 130));
    if (shore.length > 1)
      out.push({
        code: 'E2EM1P',
        type: 'Estuarine and Marine Wetland',
        ring: [...deep, ...[...shore].reverse(), deep[0]!],
      });
  }
  return out;
}

/** Wetlands as rows of the state file. */
export function* wetlandFeatures(list: readonly Wetland[]): Generator<Feature> {
  for (const { code, type, ring } of list)
    yield {
      properties: {
        ATTRIBUTE: code,
        WETLAND_TYPE: type,
        ACRES: Math.round(squareMetres(ring) / 4.0468564224) / 1000,
      },
      geometry: { type: 'Polygon', coordinates: [ring] },
    };
}
