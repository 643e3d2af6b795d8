import type { Plan } from '../plans.ts';

/** Who is asking. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly plan: Plan;
}
