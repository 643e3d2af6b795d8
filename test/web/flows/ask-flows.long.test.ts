import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer } from '../explorer.ts';
import { placeOf, sound } from '../flow.ts';

describe('questions in the explorer', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  let place: string;
  beforeAll(async () => {
    explorer = await openExplorer();
    place = placeOf(explorer);
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  it('a question: text comes as it is written, sentences lead to the records that they rest on', async () => {
    await using visit = await explorer.visit(`/ask#${place}`);
    const { page } = visit;
    await sound(visit, 'ask-empty');
    // What was shown while the answer was written.
    await page.evaluate(`
      window.written = new Set();
      new MutationObserver(() => {
        const answer = document.querySelector('.answer[aria-busy] p');
        if (answer) window.written.add(answer.textContent);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    `);
    await page.getByLabel('Question').fill('Is it in a flood zone, and how steep is it?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.cite').first().waitFor();
    const written = (await page.evaluate('[...window.written]')) as string[];
    expect(written.length).toBeGreaterThan(1);
    expect((await page.locator('.answer p:not(.note)').innerText()).startsWith(written[0]!.slice(0, 20))).toBe(true);
    await sound(visit, 'ask');
    await page.locator('.cite').first().click();
    await page.locator('.record[open]').waitFor();
    await sound(visit, 'ask-records');
    await page.getByText('the request behind this').click();
    const shown = await page.locator('.request pre').innerText();
    expect(shown).toContain('/v1/ask/stream');
    expect(shown).toContain('curl -sN');
  }, 60_000);

  it.each([
    [
      'ends early',
      'event: delta\ndata: {"text":"Half an answer"}\n\n',
      'The connection broke before the answer was whole',
    ],
    [
      'says that it failed',
      'event: delta\ndata: {"text":"Half an answer"}\n\nevent: error\ndata: {"error":"ask_failed","message":"It broke."}\n\n',
      'It broke.',
    ],
  ])(
    'an answer whose stream %s is not shown, and is asked for again',
    async (_, body, message) => {
      await using visit = await explorer.visit(`/ask#${place}`);
      const { page } = visit;
      await page.route('**/v1/ask/stream', route => route.fulfill({ contentType: 'text/event-stream', body }), {
        times: 1,
      });
      await page.getByLabel('Question').fill('How steep is it?');
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.getByRole('alert').getByText(message, { exact: false }).waitFor();
      expect(await page.getByText('Half an answer').count()).toBe(0);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('.cite').first().waitFor();
      expect(visit.wrong).toEqual([]);
    },
    60_000,
  );

  it('asks about the place that was typed, though nobody pressed Go', async () => {
    const { lat, lng } = explorer.parcel;
    await using visit = await explorer.visit('/ask');
    const { page } = visit;
    await page.getByLabel('Address or latitude, longitude').fill(`${lat}, ${lng}`);
    await page.getByLabel('Question').fill('How steep is it?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.cite').first().waitFor();
    expect(page.url()).toContain(`at=${lat.toFixed(5)}`);
    // And about what was typed since.
    await page.getByLabel('Address or latitude, longitude').fill(`${lat + 0.001}, ${lng}`);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await expect.poll(() => page.url(), { timeout: 20_000 }).toContain(`at=${(lat + 0.001).toFixed(5)}`);
  }, 60_000);

  it('a question says so where the server is gone', async () => {
    await using visit = await explorer.visit(`/ask#${place}`);
    const { page } = visit;
    await page.getByLabel('Question').fill('How steep is it?');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('The server was not reached. Is it running', { exact: false }).first().waitFor();
  }, 60_000);
});
