import { accumulationOperation } from '../accumulation/operation.ts';
import { assemblageOperation } from '../assemblage/operation.ts';
import { buildableOperation } from '../buildable/operation.ts';
import type { Operation } from '../operation/operation.ts';
import { ownerParcelsOperation, ownersOperation } from '../owners/operation.ts';
import { aggregateOperation } from '../sets/aggregate.ts';
import { areaOperation } from '../sets/area.ts';
import { countOperation } from '../sets/count.ts';
import { explainOperation } from '../sets/explain.ts';
import { rankOperation } from '../sets/rank.ts';
import { similarOperation } from '../sets/similar.ts';
import { setTilesOperation } from '../sets/tiles.ts';
import { structuresOperation } from '../structures/operation.ts';

/** The operations that declare themselves, in the order of the API description. A new one needs its line here and nothing else. */
export const OPERATIONS: readonly Operation[] = [
  countOperation,
  explainOperation,
  setTilesOperation,
  similarOperation,
  areaOperation,
  buildableOperation,
  structuresOperation,
  rankOperation,
  aggregateOperation,
  ownersOperation,
  ownerParcelsOperation,
  assemblageOperation,
  accumulationOperation,
];
