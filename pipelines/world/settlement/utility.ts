import type { Value } from '../../../datasets/dataset.ts';
import { type Feature, polygonal, type Ring } from '../format/feature.ts';
import { EXTENT, frameRectangle } from '../frame.ts';
import type { Lattice } from '../nature/lattice.ts';
import type { Census } from './census.ts';

type Row = Readonly<Record<string, Value>>;

const area = (properties: Feature['properties'], ring: Ring): Feature => ({
  properties,
  geometry: polygonal([[ring]]),
});

/** Who serves power and gas, at what rate, how reliably and how clean. */
export class Utilities {
  readonly #lattice: Lattice;
  readonly #censuses: readonly Census[];

  constructor(lattice: Lattice, censuses: readonly Census[]) {
    this.#lattice = lattice;
    this.#censuses = censuses;
  }

  /**
   * Electric territories: one company over the whole first county and a town's own inside it, a cooperative over most
   * of the other county, and nobody on its inland edge.
   */
  electric(): Feature[] {
    const [north, south] = this.#censuses as [Census, Census];
    const company = (ID: string, NAME: string, TYPE: string, CNTRL_AREA: string, CUSTOMERS: number) => ({
      ID,
      NAME,
      TYPE,
      CNTRL_AREA,
      CUSTOMERS,
    });
    return [
      area(
        company('99001', 'SYNTHETIC POWER CO', 'INVESTOR OWNED', 'SYNTHETIC ISO', 9200),
        this.#lattice.county(north.county),
      ),
      area(
        company('99002', 'TOWN OF SYNTHETIC HARBOR', 'MUNICIPAL', 'SYNTHETIC ISO', 1100),
        this.#lattice.ring(north.span(0.25, 0.25, 0.75, 0.75)),
      ),
      area(
        company('99003', 'FERRY ELECTRIC COOP', 'COOPERATIVE', 'NOT AVAILABLE', -999999),
        this.#lattice.ring(south.span(0, 0, 1, 0.75)),
      ),
    ];
  }

  /** The organised market: the first county and no more. */
  markets(): Feature[] {
    return [area({ ID: '9990', NAME: 'SYNTHETIC ISO' }, this.#lattice.county(this.#censuses[0]!.county))];
  }

  gas(): Feature[] {
    return this.#censuses.map((census, i) =>
      area(
        { SVCTERID: `9990${i}`, NAME: i ? 'FERRY GAS' : 'SYNTHETIC GAS LIGHT' },
        this.#lattice.ring(census.span(0.25, 0, 0.75, 0.5)),
      ),
    );
  }

  /** Rates by ZIP code and utility: `investor` or the other file. */
  rates(investor: boolean): Row[] {
    const [north, south] = this.#censuses as [Census, Census];
    const [coast, inland] = north.county.zips;
    const row = (zip: string, eiaid: string, service_type: string, rates: readonly number[]): Row => ({
      zip,
      eiaid,
      utility_name: `Synthetic utility ${eiaid}`,
      state: zip < '03900' ? 'NH' : 'ME',
      service_type,
      ownership: investor ? 'Investor Owned' : 'Municipal',
      comm_rate: rates[1]!,
      ind_rate: rates[2]!,
      res_rate: rates[0]!,
    });
    return investor
      ? [
          row(coast, '99001', 'Bundled', [0.2212, 0.1705, 0.1111]),
          row(coast, '99001', 'Delivery', [0.0912, 0.0605, 0.0311]),
          // Inland only the delivery of the one utility is listed.
          row(inland, '99001', 'Delivery', [0.0934, 0.0626, 0.0329]),
        ]
      : [
          // The town's own utility serves no industry here, and inland it is not listed: others are.
          row(coast, '99002', 'Bundled', [0.1503, 0.1404, 0]),
          row(inland, '99008', 'Bundled', [0.1602, 0.1503, 0.1001]),
          row(inland, '99009', 'Bundled', [0.1804, 0.1701, 0.1203]),
          row(south.county.zips[0], '99003', 'Bundled', [0.1901, 0.1702, 0.1302]),
        ];
  }

  /** Minutes of outage a year with major event days; under the IEEE standard or another. One utility does not report. */
  reliability(): { id: string; state: string; ieee: number | null; other: number | null }[] {
    return [
      { id: '99001', state: 'ME', ieee: 412.7, other: null },
      { id: '99002', state: 'ME', ieee: null, other: 38.2 },
    ];
  }

  /** Two subregions of the grid: the counties' coast and land, and what lies inland. */
  subregions(): Feature[] {
    const { west, east, sea, inland } = EXTENT;
    const divide = (sea + 2 * inland) / 3;
    return [
      area({ ZipSubregi: 'SYNE' }, frameRectangle(west - 4000, sea - 4000, east + 4000, divide)),
      area({ ZipSubregi: 'SYNW' }, frameRectangle(west - 4000, divide, east + 4000, inland + 4000)),
    ];
  }

  /** Emission of subregions, lb CO2e/MWh; the inland one is not in the table. */
  emissions(): { SUBRGN: string; SRNAME: string; SRC2ERTA: number }[] {
    return [{ SUBRGN: 'SYNE', SRNAME: 'Synthetic East', SRC2ERTA: 541.312 }];
  }
}
