import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { builtInPlace } from '../../pipelines/place/place-schema.ts';
import { run } from '../../pipelines/run.ts';
import { Survey } from '../oracle/survey.ts';
import { SILENT } from '../pipelines/silent.ts';
import { type Bangor, ingestBangor, MISSING, present, SOURCES } from './bangor.ts';
import { builtFields } from './oracle/built.ts';
import { censusFields } from './oracle/census.ts';
import { economyFields } from './oracle/economy.ts';
import { floodFields } from './oracle/hazards.ts';
import { landFields } from './oracle/land.ts';
import { ASSESSED, parcelFields } from './oracle/parcels.ts';
import { siteFields } from './oracle/sites.ts';
import { asker, type Subject } from './oracle/subject.ts';
import { gdal, NO_GDAL, publishedFeatures } from './published.ts';

const ready = present && gdal;
if (!ready) console.warn(present ? NO_GDAL : MISSING);

const cityOf = () =>
  new Survey(publishedFeatures('bangor-me/city_boundary.geojson').map(({ geometry }) => ({ geometry, value: null })));

describe('operators on the real Bangor, against its published files', { tags: ['published-files', 'GDAL'] }, () => {
  let bangor: Bangor;
  let subject: Subject;
  beforeAll(async () => {
    bangor = await ingestBangor();
    subject = { home: bangor.home, city: cityOf(), ask: asker(bangor.home) };
  });
  afterAll(() => bangor?.remove());

  floodFields(() => subject);
  landFields(() => subject);
  builtFields(() => subject);
  censusFields(() => subject);
  economyFields(() => subject);
  siteFields(() => subject);
  parcelFields('parcels', () => subject, 'all', {
    contains: 150,
    stacked: 40,
    nearest: 0,
    between: 0,
    none: 0,
    outside: 20,
    ground: 20,
  });
});

describe('parcel_attr on the real Bangor without its rights of way', { tags: ['published-files', 'GDAL'] }, () => {
  let home: string;
  let subject: Subject;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'plat-assessed-'));
    const bangor = builtInPlace('bangor-me');
    const layers = bangor.layers.filter(l => l.dataset === 'parcel_store').map(l => ({ ...l, where: ASSESSED }));
    await run({ home, sources: SOURCES, place: { ...bangor, layers }, threads: 0, progress: SILENT });
    subject = { home, city: cityOf(), ask: asker(home) };
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  parcelFields('parcels with gaps between them', () => subject, 'assessed', {
    contains: 120,
    stacked: 40,
    nearest: 20,
    between: 10,
    none: 5,
    outside: 20,
    ground: 0,
  });
});
