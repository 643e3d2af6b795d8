import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { openFixture } from '../service-fixture.ts';

it('describes the API without a problem by the recommended rules of Redocly', async () => {
  await using fixture = await openFixture();
  const config = await createConfig({ extends: ['recommended'] });
  const problemsOf = async (source: string) => {
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
  };
  const document = (await fixture.app.inject('/v1/openapi.json')).json();
  expect(await problemsOf(JSON.stringify(document))).toEqual([]);
  // The rules judge what is there.
  delete document.paths['/v1/fetch'].post.summary;
  expect(await problemsOf(JSON.stringify(document))).toHaveLength(1);
});
