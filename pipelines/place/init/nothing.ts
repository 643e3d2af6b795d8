/** What publishers write in text where there is nothing. */
const NOTHING =
  /^(n\/?a|none|null|<null>|unknown|unk|unassigned|not available|no data|nodata|-+|\.+|\*+|\?+|tbd|#n\/a)$/i;

/** Whether a text stands for no value. */
export const isNothing = (value: unknown): boolean => typeof value === 'string' && NOTHING.test(value);
