import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Counts the driving calculations that a routing provider was asked for, by month. */
export interface RoutingRecords {
  /**
   * Counts calculations in a month (`YYYY-MM`) over all servers, unless they would exceed the budget.
   * @param calculations,budget at least 1.
   * @returns false, with nothing counted, when they would exceed the budget.
   */
  spend(period: string, calculations: number, budget: number): Promise<boolean>;
}

/** Routing records over any Kysely database. */
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
