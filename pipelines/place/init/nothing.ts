/** Texts that publishers write for no value. */
const NOTHING =
  /^(n\/?a|none|null|<null>|unknown|unk|unassigned|not available|no data|nodata|-+|\.+|\*+|\?+|tbd|#n\/a)$/i;

/** Whether a value is a text that means no value. */
export const isNothing = (value: unknown): boolean => typeof value === 'string' && NOTHING.test(value);
