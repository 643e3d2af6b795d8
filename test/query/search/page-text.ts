import type { PageText } from '../../../query/search/page/written-page.ts';

/** The text of a page itself, without the room around it. */
export const textOf = ({ memory, start, end }: PageText): Uint8Array => memory.subarray(start, end);
