import { CqlError } from '../../cql/expression.ts';
import type { TaskEnvironment } from '../../evaluate/environment.ts';
import { settled } from '../../evaluate/evaluate.ts';
import {
  type FeaturePage,
  type FeaturePageRequest,
  type FeatureRequest,
  featureById,
  featurePage,
} from '../../features/feature-page.ts';
import { Fault } from '../../release/fault.ts';
import { type Failure, failureOf } from '../failure.ts';

/** A judged question for features, plain data. */
export type FeatureQuestion =
  | { readonly kind: 'page'; readonly of: FeaturePageRequest }
  | { readonly kind: 'feature'; readonly of: FeatureRequest };

/** A page, the text of a feature or none, or what is wrong with the filter. */
export type FeatureAnswer =
  | { readonly page: FeaturePage }
  | { readonly feature: string | null }
  | { readonly problem: string };

/** Reads features of the layers of a release. Never throws but Interrupted. */
export const featureTask = (
  question: FeatureQuestion,
  environment: TaskEnvironment,
): Promise<FeatureAnswer | Failure> =>
  settled<FeatureAnswer>(async layers => {
    if (!layers) throw new Fault('no release is installed; nothing was published yet', true);
    if (question.kind === 'feature') return { feature: await featureById(question.of, layers, environment) };
    return { page: await featurePage(question.of, layers, environment) };
  }, environment).catch((error: unknown) =>
    error instanceof CqlError ? { problem: error.message } : failureOf(error, environment.deadline),
  );
