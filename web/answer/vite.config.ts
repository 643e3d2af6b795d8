import { defineConfig } from 'vite';

/** The map of an answer: one script, which the server puts into a page of its own, because hosts load nothing else of it. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../dist/answer',
    emptyOutDir: true,
    target: 'es2022',
    minify: true,
    lib: { entry: 'main.ts', formats: ['es'], fileName: () => 'answer.js' },
    reportCompressedSize: false,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
