import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Driving calculations that a routing provider was asked for, by month. */
export interface RoutingRecords {
  /**
   * Counts calculations of all servers together in a month (`YYYY-MM`), unless the budget does not hold them all.
   * @param calculations,budget at least 1.
   * @returns false, with nothing counted, when the budget would be passed.
   */
  spend(period: string, calculations: number, budget: number): Promise<boolean>;
}

/** Routing records over any database that Kysely speaks. */
export function routingIn(db: Kysely<Tables>): RoutingRecords {
  return {
    async spend(period, calculations, budget) {
      if (calculations > budget) return false;
      const { rows } = await sql`
        insert into routing_calculations (period, calculations) values (${period}, ${calculations})
        on conflict (period) do update set calculations = routing_calculations.calculations + ${calculations}
        where routing_calculations.calculations + ${calculations} <= ${budget}
        returning calculations`.execute(db);
      return rows.length === 1;
    },
  };
}
