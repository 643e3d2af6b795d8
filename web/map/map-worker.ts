// The map's library cuts tiles in a worker. Its code does nothing where no worker loads it.
import 'maplibre-gl/worker';

/** Where the worker is loaded from: this file, as it is built. */
export const workerUrl: string = import.meta.url;
