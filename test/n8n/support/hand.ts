import type { Locator, Page } from 'playwright-core';

/** A user's hand in the browser: it clicks and types, and counts both. */
export class Hand {
  clicks = 0;

  /** How many fields were typed into. */
  fields = 0;

  constructor(private readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    await target.click();
    this.clicks++;
  }

  /** Types into the field that a click or the editor has put the cursor in. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.fields++;
  }
}
