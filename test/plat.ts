import { fileURLToPath } from 'node:url';

/** The command line as people start it: compiled where `make test` compiled it, else by tsx. */
export const PLAT = fileURLToPath(new URL('../plat', import.meta.url));
