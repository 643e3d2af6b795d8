import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Somebody who sees a page and nothing else: what they act on is named by the text that they read there. */
export class Person {
  readonly page: Page;
  readonly #acts: string[] = [];
  readonly #since = performance.now();

  constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(45_000);
  }

  /** What is seen under a name, whole or as a pattern: a button, a link, an option, a box to tick, or a text. */
  #seen(name: string | RegExp): Locator {
    const exact = { exact: true };
    const roles = (['button', 'link', 'option', 'checkbox'] as const).map(role =>
      this.page.getByRole(role, { name, ...exact }),
    );
    const all = roles.reduce((a, b) => a.or(b)).or(this.page.getByText(name, exact));
    return all.filter({ visible: true }).first();
  }

  async clicks(name: string | RegExp): Promise<void> {
    await this.#seen(name).click();
    this.#acts.push(`clicks ${name}`);
  }

  /** Presses a button of the panel that is called as a view of the bar is. */
  async submits(name: string): Promise<void> {
    await this.page.getByRole('main').getByRole('button', { name, exact: true }).click();
    this.#acts.push(`clicks ${name}`);
  }

  /** Types into the box with a label or a hint in it. */
  async types(box: string | RegExp, text: string): Promise<void> {
    const named = this.page.getByPlaceholder(box).or(this.page.getByLabel(box)).filter({ visible: true }).first();
    await named.fill('');
    await named.pressSequentially(text);
    this.#acts.push(`types ${text}`);
  }

  /** Takes one of the choices of a list by what is written there. */
  async chooses(list: string | RegExp, choice: RegExp): Promise<void> {
    const box = this.page.getByLabel(list).first();
    const options = box.locator('option');
    await options.filter({ hasText: choice }).first().waitFor({ state: 'attached' });
    const text = (await options.allInnerTexts()).find(one => choice.test(one))!;
    await box.selectOption({ label: text.trim() });
    this.#acts.push(`chooses ${text.trim()}`);
  }

  async presses(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    this.#acts.push(`presses ${key}`);
  }

  /** Reads something. @returns what the part of the page that says it says as a whole. */
  async reads(text: string | RegExp): Promise<string> {
    const line = this.page.getByText(text).filter({ visible: true }).first();
    await line.waitFor();
    return line.innerText();
  }

  /** Reads what a fact says, such as the size of a parcel. */
  async readsFact(name: string): Promise<string> {
    const fact = this.page.locator('dl > div', { has: this.page.locator('dt', { hasText: name }) }).first();
    await fact.waitFor();
    return fact.locator('dd').innerText();
  }

  /** Tells what was done; fails when it was more than a few things, or took longer than one waits. */
  ends(task: string, mostActs: number, mostSeconds: number): void {
    const seconds = (performance.now() - this.#since) / 1000;
    console.log(`${task}: ${this.#acts.length} acts in ${seconds.toFixed(1)} s: ${this.#acts.join('; ')}`);
    expect(this.#acts.length, this.#acts.join('; ')).toBeLessThanOrEqual(mostActs);
    expect(seconds, 'seconds; a busy machine takes a few times as long as an idle one').toBeLessThan(mostSeconds);
  }
}
