import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
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
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  worker: { format: 'es' },
  server: {
    proxy: {
      '/v1': 'http://127.0.0.1:8080',
      '/tiles': 'http://127.0.0.1:8080',
      '/tiles.json': 'http://127.0.0.1:8080',
    },
  },
});
