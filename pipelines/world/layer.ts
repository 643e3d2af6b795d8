import type { WorldFile } from './format/file.ts';
import { built } from './layers/built.ts';
import { tiger } from './layers/census.ts';
import { dataFiles } from './layers/data.ts';
import { exposure } from './layers/exposure.ts';
import { natural } from './layers/natural.ts';
import { network } from './layers/network.ts';
import { regional } from './layers/regional.ts';
import type { World } from './world.ts';

/** Every published file of the area. */
export function worldFiles(world: World): WorldFile[] {
  return [
    ...tiger(world),
    ...built(world),
    ...natural(world),
    ...regional(world),
    ...network(world),
    ...exposure(world),
    ...dataFiles(world),
  ];
}
