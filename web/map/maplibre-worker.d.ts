// The build finds it in the sources of the map's library, which publishes no types for it.
declare module 'maplibre-gl/worker';
