import type { Plan } from '../plans.ts';

/** The account that a request belongs to. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly plan: Plan;
}
