import { existsSync } from 'node:fs';

import { type Browser, chromium, type Page, selectors } from 'playwright-core';

import { demoOwner } from './instance';

const EXECUTABLE = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  // Nothing beyond this machine. Intercepting requests would turn off the browser's cache.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];
const TIMEOUT_MS = 60_000;

export interface BrowserOptions {
  theme?: 'light' | 'dark';
  timezoneId?: string;
  viewport?: { width: number; height: number };
}

/**
 * Opens a browser and signs in to n8n. The browser reaches nothing but this machine.
 *
 * @param origin the address of an n8n whose owner is the demo owner
 * @param options how the browser differs from one in UTC with a bright theme
 */
export async function openBrowser(
  origin: string,
  options: BrowserOptions = {},
): Promise<{ browser: Browser; page: Page }> {
  if (!existsSync(EXECUTABLE)) {
    throw new Error(
      `There is no ${EXECUTABLE}. Install Chromium (on Debian: apt-get install chromium), ` +
        'or set CHROMIUM_PATH to where it is.',
    );
  }
  const { theme = 'light', timezoneId = 'UTC', viewport = { width: 1440, height: 1300 } } = options;
  selectors.setTestIdAttribute('data-test-id');
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS });
  const page = await browser.newPage({ viewport, timezoneId });
  await page.addInitScript(`localStorage.setItem('N8N_THEME', '${theme}')`);
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.goto(`${origin}/signin`);
  await page.getByLabel('Email').fill(demoOwner.email);
  await page.getByLabel('Password').fill(demoOwner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/home\//);
  return { browser, page };
}
