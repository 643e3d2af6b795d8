/**
 * The same day some years earlier; 29 February becomes 28 February, as `date - interval` does in PostgreSQL.
 * @throws RangeError when the date is not YYYY-MM-DD.
 */
export function yearsBefore(date: string, years: number): string {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date);
  if (!match || Number.isNaN(Date.parse(date)))
    throw new RangeError(`As-of date "${date}": expected YYYY-MM-DD; the release's manifest gives it as asOf`);
  const year = Number(match[1]) - years;
  const leap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
  const day = match[2] === '02' && match[3] === '29' && !leap ? '28' : match[3];
  return `${String(year).padStart(4, '0')}-${match[2]}-${day}`;
}
