import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ObjectStore } from './object-store.ts';

/**
 * Opens a store by its address: s3://bucket/prefix, file:///folder, or the path of a folder.
 * @throws Error for another address.
 */
export async function openStore(address: string): Promise<ObjectStore> {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1];
  // The SDK takes a third of a second to load.
  if (scheme === 's3') return new (await import('./s3-store.ts')).S3Store(address);
  const { FolderStore } = await import('./folder-store.ts');
  if (scheme === 'file') return new FolderStore(fileURLToPath(address));
  if (scheme === undefined) return new FolderStore(resolve(address));
  throw new Error(`${address} is no store: expected s3://bucket/prefix, file:///folder or the path of a folder`);
}
