import type { Page } from 'playwright-core';

import type { Sandbox } from '../../sandbox';
import { openBrowser } from '../n8n/browser';
import type { N8nInstance } from '../n8n/instance';
import { saveServiceCredential } from '../n8n/service-credential';
import { Film } from './film';

// Small, so that the text can be read where a page shows the picture smaller than it is.
const VIEWPORT = { width: 1000, height: 640 };
const TEXT = 'Fresh sourdough from 8 a.m.';
const LOOK_MS = 900;
const RESULT_MS = 2200;
const DASHBOARD_MS = 1600;
const LAST_MS = 3000;
const FIRST_MS = 1500;

/**
 * Films how a post is scheduled, from an empty canvas to the dashboard of the sandbox. The first picture is
 * the last: the published post.
 *
 * @param n8n without credentials: gets one for the sandbox
 */
export async function filmTour(n8n: N8nInstance, sandbox: Sandbox): Promise<Film> {
  await saveServiceCredential(n8n.api, { ...sandbox, apiKey: sandbox.keys.pro });
  const { browser, page } = await openBrowser(n8n.origin, { viewport: VIEWPORT });
  try {
    const film = new Film(page);
    await page.goto(`${n8n.origin}/workflow/new`);
    await schedule(page, film);
    const dashboard = await browser.newPage({ viewport: VIEWPORT });
    await dashboard.goto(`${sandbox.origin}/#posts`);
    await publish(dashboard, film);
    film.beginWithEnd(FIRST_MS);
    return film;
  } finally {
    await browser.close();
  }
}

async function schedule(page: Page, film: Film): Promise<void> {
  const add = page.getByTestId('canvas-add-button');
  await add.waitFor();
  await page.waitForTimeout(1500);
  await film.hold(LOOK_MS);
  await film.click(add);
  await page.getByTestId('node-creator-search-bar').waitFor();
  await film.type('schedule post');
  const found = page.getByTestId('node-creator-item-name');
  await film.click(found.getByText('Social Publishing', { exact: true }).first());
  await film.click(page.getByText(/^Actions \(\d+\)$/));
  const accountsLoaded = page.waitForResponse(/\/rest\/dynamic-node-parameters\/options/);
  await film.click(page.getByText('Create a post', { exact: true }), 0);

  const parameter = (name: string) => page.getByTestId(`parameter-input-${name}`);
  await page.getByTestId('node-parameters').waitFor();
  // n8n keeps the list of accounts closed while it loads.
  await accountsLoaded;
  await page.waitForTimeout(2000);
  await film.hold(LOOK_MS);
  await film.click(parameter('content').locator('textarea'), 100);
  await film.type(TEXT);
  await film.click(parameter('accounts'));
  await film.click(page.getByRole('option', { name: 'Instagram: Blue Door Bakery' }));
  await film.click(page.getByRole('option', { name: 'LinkedIn: Blue Door Bakery' }));
  await page.keyboard.press('Escape');
  await film.click(parameter('publish'));
  await film.click(page.getByRole('option', { name: 'After a Delay' }), LOOK_MS);
  await film.click(page.getByTestId('node-execute-button'), 0);
  await page.getByText(/^Scheduled for .+, in 10 minutes$/).waitFor();
  await page.waitForTimeout(1000);
  await film.hold(RESULT_MS);
}

async function publish(page: Page, film: Film): Promise<void> {
  const row = page.locator('#posts tr', { hasText: TEXT }).first();
  await row.waitFor();
  await film.cutTo(page, DASHBOARD_MS);
  await film.click(row.getByRole('button', { name: 'Publish now' }), 0);
  await row.getByText('published').first().waitFor();
  await page.waitForTimeout(500);
  await film.hold(LAST_MS);
}
