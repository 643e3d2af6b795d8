import { hash } from 'node:crypto';
import type { Value } from '../../datasets/dataset.ts';

/**
 * The public id of a parcel: a digest of its stable key under a name of its own, so that it stays the same from release
 * to release and shows neither row numbers nor how keys are made. It says nothing but which parcel is meant.
 */
export function parcelId(key: Value): string {
  return `pcl_${hash('sha256', `parcel_id\0${key}`, 'base64url').slice(0, 22)}`;
}
