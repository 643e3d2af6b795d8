import { assemblage } from '../../assemblage/assemblage.ts';
import { buildableGround } from '../../buildable/buildable.ts';
import { answersOfParcels } from '../../enrich/parcel-answers.ts';
import type { TaskEnvironment } from '../../evaluate/environment.ts';
import type { SearchEnvironment } from '../../search/page/environment.ts';
import { freeAreas } from '../../search/request/filter.ts';
import { writeAggregate } from '../../sets/aggregate.ts';
import { explainFilters } from '../../sets/explain.ts';
import type { SetRequest } from '../../sets/ground/set-ground.ts';
import { matchTile } from '../../sets/map/match-tile.ts';
import { placeOfParcel } from '../../sets/parcel-by-id.ts';
import { partOfSet } from '../../sets/part/set-part.ts';
import { rankParcels } from '../../sets/rank.ts';
import { areasOf } from '../../sets/set-filter.ts';
import { similarParcels } from '../../sets/similar.ts';
import { floodOfStructures } from '../../structures/structures.ts';
import { findOwnerParcels, findOwners } from '../../suggest/owners.ts';
import { countParcels, type Unanswered } from '../count-task.ts';

/** A question about a set of parcels, as workers are asked it. */
const setTask =
  <R extends SetRequest, A>(answer: (request: R, environment: SearchEnvironment) => Promise<A>) =>
  (request: R, { onProgress, ...environment }: TaskEnvironment): Promise<A> =>
    answer(request, { ...environment, onJudged: onProgress }).finally(() =>
      freeAreas({ areas: areasOf(request.filters) }),
    );

/** Every question about a set of parcels that workers answer: a new one is a line here, and the engine has a method of its name. */
export const SET_TASKS = {
  aggregate: setTask(writeAggregate),
  assemblage: setTask(assemblage),
  buildable: setTask(buildableGround),
  count: setTask(countParcels),
  explain: setTask(explainFilters),
  matchTile: setTask(matchTile),
  ownerParcels: setTask(findOwnerParcels),
  owners: setTask(findOwners),
  parcelAnswers: setTask(answersOfParcels),
  parcelPlace: setTask(placeOfParcel),
  rank: setTask(rankParcels),
  setPart: setTask(partOfSet),
  similar: setTask(similarParcels),
  structures: setTask(floodOfStructures),
};

/** Their inputs and outputs, by name. */
export type SetTasks = {
  readonly [K in keyof typeof SET_TASKS]: {
    readonly input: Parameters<(typeof SET_TASKS)[K]>[0];
    readonly output: Awaited<ReturnType<(typeof SET_TASKS)[K]>> | Unanswered;
  };
};

export type SetTaskName = keyof SetTasks;
