import type { Catalog } from '../../datasets/catalog.ts';
import { memo } from '../../datasets/memo.ts';
import type { Context } from '../evaluate/context.ts';
import type { Finding } from '../evaluate/finding.ts';
import { layersRead } from '../evaluate/version.ts';
import type { Release } from '../release/open-release.ts';

const lackingOf = memo((_release: Release) => new Map<string, boolean>());
const findingsOf = memo((_release: Release) => new Map<string, Finding>());

/** Whether the release holds none of the layers that a field reads: then its answer is the same failure everywhere. */
function lacksAll(catalog: Catalog, release: Release, name: string): boolean {
  const lacking = lackingOf(release);
  let lacks = lacking.get(name);
  if (lacks === undefined) {
    lacks = layersRead(catalog, name).every(id => {
      const [dataset, layer] = id.split(':') as [string, string];
      return release.layer(dataset, layer) === null;
    });
    lacking.set(name, lacks);
  }
  return lacks;
}

/** The failure of a field of which the release holds no layer at all, once it was asked for; null for any other. */
export const uninstalledFinding = (release: Release, name: string): Finding | null =>
  findingsOf(release).get(name) ?? null;

/**
 * The failure of a field of which the release holds no layer at all, asked for once a release.
 * @returns null for any other field.
 */
export async function uninstalled(ctx: Context, name: string): Promise<Finding | null> {
  const { release } = ctx.layers;
  if (!lacksAll(ctx.catalog, release, name)) return null;
  const failure = uninstalledFinding(release, name);
  if (failure) return failure;
  const finding = await ctx.field(name);
  // Anything but a final failure is of this request alone.
  if (finding.status === 'failed' && !finding.retryable) findingsOf(release).set(name, finding);
  return finding;
}
