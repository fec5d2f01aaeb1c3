import type { Browser, Locator, Page, PageScreenshotOptions } from 'playwright-core';

import { type BrowserOptions, openBrowser } from '../../../scripts/n8n/browser';
import { keepPicture } from './pictures';

/** A picture without messages that come and go. */
const PLAIN: PageScreenshotOptions = {
  animations: 'disabled',
  style: '.el-notification { display: none !important }',
};

/** Evaluated in the browser: where the open node begins and ends, in pixels. */
const EDGES_OF_NODE = `(() => {
  const one = (id) => document.querySelector('[data-test-id="' + id + '"]').getBoundingClientRect();
  const node = one('ndv');
  const ends = [...document.querySelectorAll('[data-test-id="node-parameters"] *, [data-test-id="output-panel"] *')]
    .filter((part) => part.childElementCount === 0 && !part.closest('[data-test-id="node-feature-request"]'))
    .map((part) => part.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0)
    .map(({ bottom }) => bottom);
  const top = Math.min(one('output-panel').top, one('node-parameters').top);
  return [one('node-parameters').left, top, node.right, Math.min(node.bottom, Math.max(...ends) + 16)];
})()`;

/** A browser with a session in n8n's editor. */
export class Editor {
  private constructor(
    readonly origin: string,
    readonly page: Page,
    /** Errors on the page and in the console, except of requests to the internet. */
    readonly errors: string[],
    private readonly browser: Browser,
  ) {}

  /** @param options how the browser differs from one in UTC with a bright theme */
  static async open(origin: string, options: BrowserOptions = {}): Promise<Editor> {
    const { browser, page } = await openBrowser(origin, options);
    const editor = new Editor(origin, page, [], browser);
    // Only now: before the sign-in, the editor provokes a 401.
    page.on('pageerror', (error) => editor.errors.push(error.message));
    page.on('console', (message) => {
      const { url } = message.location();
      if (message.type() === 'error' && (url === '' || url.startsWith(origin))) {
        editor.errors.push(`${message.text()} (${url})`);
      }
    });
    return editor;
  }

  async close(): Promise<void> {
    await this.browser.close();
  }

  /** Opens a page of its own in the same browser, such as the dashboard of the service. */
  newPage(): Promise<Page> {
    return this.browser.newPage();
  }

  /** Opens a workflow. */
  async openWorkflow(id: string): Promise<void> {
    await this.page.goto(`${this.origin}/workflow/${id}`);
    await this.page.getByTestId('canvas-node').first().waitFor();
  }

  /** Opens the panel of a node in the open workflow. */
  async openNode(name: string): Promise<void> {
    await this.page.getByTestId('canvas-node').filter({ hasText: name }).first().dblclick();
    await this.page.getByTestId('node-parameters').waitFor();
  }

  /** Selects an option of a parameter. */
  async choose(parameter: string, option: string): Promise<void> {
    await this.page.getByTestId(`parameter-input-${parameter}`).click();
    const named = this.page.getByText(option, { exact: true });
    await this.page.getByRole('option').filter({ has: named }).first().click();
  }

  /** Saves a picture of a part of the page, for people and for the documentation. */
  async picture(name: string, part: Locator): Promise<void> {
    await keepPicture(name, await part.screenshot(PLAIN));
  }

  /** Saves a picture of the open node: its parameters and its output, down to the last of them. */
  async nodePicture(name: string): Promise<void> {
    // Buttons that appear under the mouse, lists that load and an execution that ends would show.
    await this.page.mouse.move(0, 0);
    await this.page.waitForTimeout(1_000);
    const [x, y, right, bottom] = await this.page.evaluate<number[]>(EDGES_OF_NODE);
    if (x === undefined || y === undefined || right === undefined || bottom === undefined) {
      throw new Error('No node is open.');
    }
    await this.pictureOfArea(name, { x, y, width: right - x, height: bottom - y });
  }

  /** Saves a picture of an area of the page, in pixels. */
  async pictureOfArea(
    name: string,
    clip: { x: number; y: number; width: number; height: number },
  ): Promise<void> {
    await keepPicture(name, await this.page.screenshot({ ...PLAIN, clip }));
  }

  /** The visible parameter labels, in order. */
  async labels(): Promise<string[]> {
    const labels = await this.page
      .getByTestId('node-parameters')
      .locator('label:visible')
      .allInnerTexts();
    return labels
      .map((label) => label.split('\n')[0]?.trim() ?? '')
      .filter((label) => label !== '');
  }

  /** Saves a screenshot of the page for a person to look at. */
  async screenshot(name: string): Promise<void> {
    await keepPicture(name, await this.page.screenshot());
  }
}
