import type { Settings } from '../query/engine/settings.ts';

/** The address under which clients reach the server. */
export const publicUrlOf = ({ publicUrl, port }: Pick<Settings, 'publicUrl' | 'port'>): string =>
  publicUrl || `http://127.0.0.1:${port}`;
