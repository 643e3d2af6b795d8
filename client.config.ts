import { defineConfig } from 'vite';

/** The client for browsers: one file that any page loads, beside the modules that tsc writes for programs. */
export default defineConfig({
  root: 'client',
  publicDir: false,
  build: {
    target: 'es2022',
    emptyOutDir: false,
    reportCompressedSize: false,
    lib: { entry: 'client.ts', formats: ['es'], fileName: () => 'browser.js' },
    rolldownOptions: { output: { minify: true } },
  },
});
