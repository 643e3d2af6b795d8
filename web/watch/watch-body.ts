/** What people want to hear of land that they watch. */
const USUAL: readonly string[] = [
  ...['zoning', 'zoning_code', 'fema_flood_zone', 'owner', 'acreage', 'landval', 'parval', 'saledate', 'usedesc'],
];
/** Fields that one watch is offered. */
const MOST = 12;

/** The fields that a watch is offered: what is asked for first. */
export const watchedFields = (asked: readonly string[]): string[] => [...new Set([...asked, ...USUAL])].slice(0, MOST);

/** The body that begins a watch; null while nothing is chosen, or nobody to tell. @param to a mail address, or one of https. */
export function watchBody(subject: object, fields: readonly string[], to: string): object | null {
  const text = to.trim();
  const isHook = /^https:\/\/\S+$/i.test(text);
  if (fields.length === 0 || !(isHook || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text))) return null;
  return { ...subject, fields, callback: isHook ? { webhook_url: text } : { email: text } };
}
