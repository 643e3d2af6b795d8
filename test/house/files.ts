import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The TypeScript files of a folder of the project and of its folders but for what is built there, as paths from the root. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.startsWith('dist/'))
    .map(name => `${folder}/${name}`);
}
