import { homedir } from 'node:os';
import { fileStore } from './secrets/file-store.ts';
import { keychain } from './secrets/keychain.ts';
import { secretService } from './secrets/secret-service.ts';
import type { Login, LoginStore } from './secrets/store.ts';

/** The secret store of this operating system, and a file for systems without one. */
export function loginStores(platform: NodeJS.Platform = process.platform, home: string = homedir()): LoginStore[] {
  const system = platform === 'darwin' ? [keychain] : platform === 'linux' ? [secretService] : [];
  return [...system, fileStore(home)];
}

/** Finds the login to a service in any store; null when there is none. */
export async function findLogin(service: string, stores: readonly LoginStore[]): Promise<Login | null> {
  for (const store of stores) {
    const login = await store.read(service);
    if (login) return login;
  }
  return null;
}

/**
 * Saves a login in the first store that can return it, and in no other.
 * @returns the place.
 * @throws Error when no store works.
 */
export async function keepLogin(service: string, login: Login, stores: readonly LoginStore[]): Promise<string> {
  for (const [i, store] of stores.entries()) {
    const last = i === stores.length - 1;
    try {
      await store.write(service, login);
      if (!last && (await store.read(service))?.token !== login.token) continue;
    } catch (error) {
      if (last) throw error;
      continue;
    }
    for (const other of stores) if (other !== store) await other.remove(service);
    return store.place;
  }
  throw new Error('there is no place to keep a login');
}

/** Deletes the login to a service from all stores. */
export async function forgetLogin(service: string, stores: readonly LoginStore[]): Promise<void> {
  for (const store of stores) await store.remove(service);
}
