import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const server = process.env['QUAESTOR_URL'] ?? 'http://127.0.0.1:8080';
const proxied = ['/api', '/health', '/ready'];

export default defineConfig({
  plugins: [react(), tailwind()],
  build: {
    target: 'es2022',
    // Strict content security policies forbid data: fonts and scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, { target: server }])) },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test-setup.ts'],
    restoreMocks: true,
    // One browser-like environment for each worker instead of one for each file: most of the time went there.
    isolate: false,
    // A busy machine is no failure.
    testTimeout: 120_000,
    maxWorkers: 2,
  },
});
