/** Everyday words and phrases that stand apart by commas, as a list. */
export const phrases = (text: string): readonly string[] => text.trim().split(/,\s+/);
