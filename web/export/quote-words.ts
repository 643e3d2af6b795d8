/** A number of rows in words. */
export const rowsText = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;

/** A price in words. */
export const creditsText = (count: number) =>
  count === 0 ? 'free' : `${count.toLocaleString('en-US')} ${count === 1 ? 'credit' : 'credits'}`;
