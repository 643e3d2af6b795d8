import type { Issue } from '../search/request/issue.ts';

/** Values of parcels, eight bytes each, that one question may keep in memory: sixteen numbers of a million parcels. */
export const MOST_VALUES = 1 << 24;
/** Groups that are answered at most. */
export const MOST_GROUPS = 10_000;

/** The filters leave more parcels than one question may look at. */
export class SetTooLarge extends Error {
  override readonly name = 'SetTooLarge';

  get issue(): Issue {
    return {
      path: 'filters',
      description: `The filters leave too many parcels: more than ${MOST_VALUES} values would be compared.`,
      hint: 'Ask by county, or for fewer fields at once.',
    };
  }
}

/** There are more groups than are answered. */
export class GroupsTooMany extends Error {
  override readonly name = 'GroupsTooMany';
}
