import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const MAPLIBRE = fileURLToPath(new URL('../node_modules/maplibre-gl/src/', import.meta.url));

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  // As published, the map's library and its worker hold most of their code twice: built from source they share it, which is a quarter
  // of all that the first map costs.
  resolve: {
    alias: [
      { find: /^maplibre-gl$/, replacement: `${MAPLIBRE}index.ts` },
      { find: /^maplibre-gl\/worker$/, replacement: `${MAPLIBRE}source/worker.ts` },
    ],
  },
  // The library's fields without a value are those of its ancestors, which its own build declares the same.
  oxc: { assumptions: { setPublicClassFields: true }, typescript: { removeClassFieldsWithoutInitializer: true } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Of what is inlined as data: a strict Content-Security-Policy lets nothing in but images.
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2_000,
    reportCompressedSize: false,
    // A slow machine would print eight lines about it, more than `make run` may.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // What the first page and parts of it that are loaded later share comes as one file: a request costs more than its bytes.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'page',
              test: /node_modules.preact|web.(?:api|shell|values)\b|web.map.scene|web.search.(?:field-box|filter)\b/,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/v1': 'http://127.0.0.1:8080',
      '/tiles': 'http://127.0.0.1:8080',
      '/tiles.json': 'http://127.0.0.1:8080',
    },
  },
});
