const watchers = new Set<(picture: string) => void>();
let drawAgain: (() => void) | null = null;

/** Calls back with a picture of the map, a data URL, each time it has come to rest. @returns a function that stops it. */
export function watchMap(watcher: (picture: string) => void): () => void {
  watchers.add(watcher);
  drawAgain?.();
  return () => {
    watchers.delete(watcher);
  };
}

/** Names what draws the map once more, after which it rests again; null once there is no map. */
export const nameMap = (draw: (() => void) | null): void => {
  drawAgain = draw;
};

/** Tells that the map rests. @param take takes a picture of it, which costs nothing while nobody watches. */
export function tellRest(take: () => string): void {
  if (watchers.size === 0) return;
  const picture = take();
  for (const watcher of watchers) watcher(picture);
}
