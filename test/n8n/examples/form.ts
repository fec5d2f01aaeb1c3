import type { Page } from 'playwright-core';

/**
 * Fills in the fields of an open form of n8n by their labels, and presses the button.
 *
 * @param more fills in what isn't a text
 * @returns the text of the page that follows
 */
export async function fillInForm(
  page: Page,
  fields: Record<string, string>,
  button: string,
  more?: () => Promise<void>,
): Promise<string> {
  const submit = page.getByRole('button', { name: button });
  // The first time, n8n asks before it runs a published workflow in somebody's name.
  const allow = page.getByRole('button', { name: 'Allow access' });
  await submit.or(allow).waitFor();
  if (await allow.isVisible()) await allow.click();
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  await more?.();
  await submit.click();
  return await nextPage(page);
}

/** The text of the page that follows: that the form was sent, a page that asks, or an ending. */
export async function nextPage(page: Page): Promise<string> {
  const next = page.locator('#submitted-form, .header h1, table').filter({ visible: true });
  await next.first().waitFor();
  // An ending tells n8n by itself that it was seen, and the workflow goes on.
  await page.waitForLoadState('networkidle');
  return await page.locator('body').innerText();
}

/** Opens a form in a browser that is logged in to n8n, and fills it in. */
export async function submitForm(
  page: Page,
  url: string,
  fields: Record<string, string>,
  button: string,
): Promise<string> {
  await page.goto(url);
  return await fillInForm(page, fields, button);
}
