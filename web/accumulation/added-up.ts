/** What is added up, as the address of the page says it. */
export interface AddedUp {
  readonly upload: string;
  readonly column: string;
  readonly metres: number;
}

/** Reads what is added up of an address; null where it is nothing. Pure. */
export function readAddedUp(text: string | undefined): AddedUp | null {
  try {
    const { upload, column, metres } = JSON.parse(text ?? '') as Record<string, unknown>;
    return typeof upload === 'string' && typeof column === 'string' && typeof metres === 'number'
      ? { upload, column, metres }
      : null;
  } catch {
    return null;
  }
}
