const { promise, resolve } = Promise.withResolvers<void>();

/** Fulfilled when the first map of this page stands, or when it is known that it cannot be had. */
export const firstMap: Promise<void> = promise;

/** Tells that the first map stands, or that none will. */
export const endFirstMap: () => void = resolve;
