let count = 0;

/** Called once bytes of a release's file have been read, before anything else can see them. */
export function noteRead(): void {
  count++;
}

/** How often this thread has read from files of releases so far. */
export const readsSoFar = (): number => count;
