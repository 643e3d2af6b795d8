import { CronExpressionParser } from 'cron-parser';

/**
 * The first time after `after` at which a cron expression is due, in epoch milliseconds.
 * @param cron five fields, in UTC. @param after epoch milliseconds.
 * @throws RangeError when it is not a cron expression.
 */
export function nextDue(cron: string, after: number): number {
  if (cron.trim().split(/\s+/).length !== 5)
    throw new RangeError(`Schedule "${cron}": expected five fields (minute hour day month weekday), read in UTC`);
  try {
    return CronExpressionParser.parse(cron, { currentDate: new Date(after), tz: 'UTC' })
      .next()
      .getTime();
  } catch (error) {
    throw new RangeError(`Schedule "${cron}": ${(error as Error).message}`);
  }
}
