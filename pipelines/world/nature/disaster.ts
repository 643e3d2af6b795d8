import type { Value } from '../../../datasets/dataset.ts';
import { Random } from '../random.ts';
import type { Census } from '../settlement/census.ts';

/** OpenFEMA: declared disasters and flood insurance claims. */
export class Disasters {
  readonly #censuses: readonly Census[];
  readonly #seed: number;

  constructor(censuses: readonly Census[], seed: number) {
    this.#censuses = censuses;
    this.#seed = seed;
  }

  /** A row an area of a declaration: a county twice in one, a whole state, a tribe's land, another state's county. */
  declarations(): Readonly<Record<string, Value>>[] {
    const rows: Record<string, Value>[] = [];
    const row = (disasterNumber: number, year: number, state: string, county: string, designatedArea: string) =>
      rows.push({
        femaDeclarationString: `DR-${disasterNumber}`,
        disasterNumber,
        state,
        declarationType: 'DR',
        declarationDate: `${year}-03-12T00:00:00.000Z`,
        incidentType: year % 2 ? 'Flood' : 'Severe Storm',
        fipsStateCode: state === 'ME' ? '23' : '33',
        fipsCountyCode: county,
        designatedArea,
      });
    row(9001, 2009, 'ME', '999', 'Synthetic (County)');
    row(9002, 2021, 'ME', '999', 'Synthetic (County)');
    row(9002, 2021, 'ME', '999', 'Synthetic (County)');
    row(9002, 2021, 'NH', '999', 'Synthetic South (County)');
    row(9003, 2023, 'ME', '000', 'Statewide');
    row(9004, 2024, 'ME', '000', 'Synthetic Indian Reservation');
    row(9005, 2025, 'NH', '000', 'Statewide');
    row(9006, 2025, 'NH', '003', 'Carroll (County)');
    row(9007, 2025, 'NH', '999', 'Synthetic South (County)');
    return rows;
  }

  /** Claims by tract, most near the sea; some of a tract that no longer exists and some without one. */
  claims(): Readonly<Record<string, Value>>[] {
    const random = new Random(this.#seed, 'flood claims');
    const rows: Record<string, Value>[] = [];
    const claim = (censusTract: string | null) =>
      rows.push({
        id: `99999999-0000-4000-8000-${String(rows.length).padStart(12, '0')}`,
        dateOfLoss: `${random.integer(1978, 2025)}-0${random.integer(1, 9)}-15T00:00:00.000Z`,
        censusTract,
        reportedCity: 'Currently Unavailable',
      });
    for (const census of this.#censuses)
      for (const { geoid, span } of census.tracts()) {
        if (!span || span.row > 0) continue;
        for (let n = random.integer(0, 9); n > 0; n--) claim(geoid);
      }
    claim('23999000001');
    claim(null);
    return rows;
  }
}
