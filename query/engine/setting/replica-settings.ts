import { integer, storeAddress } from './setting.ts';

/** How a server pulls its releases from a store. */
export const REPLICA_SETTINGS = {
  releases: storeAddress(
    'PLAT_RELEASES',
    'Store from which plat serve pulls its releases: s3://bucket/prefix, file:///folder or the path of a folder, as plat release push writes it (scale.md); empty serves what an ingest publishes in PLAT_HOME.',
  ),
  releasesPoll: integer(
    'PLAT_RELEASES_POLL_MS',
    10_000,
    100,
    3_600_000,
    'Milliseconds between looks into that store, on average: each pause is half as long to half longer.',
  ),
  releasesRate: integer(
    'PLAT_RELEASES_RATE_MB',
    0,
    0,
    1_000_000,
    'Megabytes a second that all downloads from that store take together; 0 is no limit.',
  ),
  releasesKeep: integer(
    'PLAT_RELEASES_KEEP',
    2,
    0,
    1000,
    'Earlier releases that a server keeps of that store, for /v1/changes, unless the disk is short; one that was current within the last hour stays in any case.',
  ),
} as const;
