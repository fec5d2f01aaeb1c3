import type { Page } from 'playwright-core';

/**
 * Opens a form of n8n in a browser that is logged in to it, fills in the fields by their labels and
 * presses the button.
 *
 * @returns the text of the page that follows
 */
export async function submitForm(
  page: Page,
  url: string,
  fields: Record<string, string>,
  button: string,
): Promise<string> {
  await page.goto(url);
  const submit = page.getByRole('button', { name: button });
  // The first time, n8n asks before it runs a workflow in somebody's name.
  const allow = page.getByRole('button', { name: 'Allow access' });
  await submit.or(allow).waitFor();
  if (await allow.isVisible()) await allow.click();
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  await submit.click();
  const confirmation = page.locator('#submitted-form');
  await confirmation.waitFor();
  return await confirmation.innerText();
}
