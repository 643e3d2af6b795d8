import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { stopData } from './server/state/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder that all test files of one run share. */
    sharedFolder: string;
    /** Whether stores are PostgreSQL behind a pooler. */
    pooled: boolean;
  }
}

/** Makes the folder that test files share; after the last of them it goes, and the PostgreSQL that may run in it. */
export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plat-test-'));
  project.provide('sharedFolder', folder);
  return async () => {
    stopData(join(folder, 'postgres'));
    // Not at one go: where a disk is slow, vitest saw too late that its workers had ended, and told of a timeout.
    // A program that ends late still writes what it compiled.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
}
