import type { Value } from '../../../datasets/dataset.ts';
import { hash } from '../random.ts';
import type { Census } from './census.ts';

type Row = Readonly<Record<string, Value>>;

/** Technologies of the availability files that the area has: cable, fiber to the premises, satellite. */
export const TECHNOLOGIES = { Cable: 40, FibertothePremises: 50, GSOSatellite: 60 } as const;

const BRANDS: Readonly<Record<number, string>> = { 40: 'Cable', 50: 'Fiber', 60: 'Satellite' };

const SPEEDS: Readonly<Record<number, readonly [down: number, up: number]>> = {
  40: [1000, 35],
  50: [5000, 5000],
  60: [100, 3],
};

/** Whether a technology is offered in a block of the street grid: fiber in the first county only, nothing in some blocks. */
function offered(seed: number, half: number, column: number, row: number, technology: number): boolean {
  const draw = hash(seed, column, row, technology, 221) % 10;
  if (hash(seed, column, row, 222) % 12 === 0) return false;
  if (technology === 50) return half === 1 && draw < 4;
  return technology === 40 ? draw < 7 : true;
}

/**
 * FCC availability of one county and technology: one row a location and provider. Two locations a block repeat the same
 * offer, as real files do.
 */
export function* offers(seed: number, census: Census, technology: number): Generator<Row> {
  for (const { geoid, span } of census.blocks()) {
    if (!span || !offered(seed, census.county.half, span.column, span.row, technology)) continue;
    const [down, up] = SPEEDS[technology]!;
    const draw = hash(seed, span.column, span.row, technology, 223);
    const providers = technology === 40 ? 1 + (draw % 2) : 1;
    for (let provider = 0; provider < providers; provider++)
      for (let location = 0; location < 2; location++)
        yield {
          frn: `00999${technology}0${provider}`,
          provider_id: String(990_000 + 10 * technology + provider),
          brand_name: `${provider ? 'Ledge' : 'Harbor'} ${BRANDS[technology]!}`,
          location_id: Number(geoid.slice(5)) * 10 + location,
          technology,
          max_advertised_download_speed: down / (provider + 1),
          max_advertised_upload_speed: up,
          low_latency: technology === 60 ? 0 : 1,
          business_residential_code: 'X',
          state_usps: census.county.code,
          block_geoid: geoid,
          h3_res8_id: '882a000000fffff',
        };
  }
}
